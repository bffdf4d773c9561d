import { type Options } from '../options';
import { KEY, MESSAGE } from '../payloads';
import { step } from '../progress';
import { barChart } from '../report/chart';
import { type Report, type Table } from '../report/report';
import { spread, summary, type Summary } from '../report/statistics';
import { checkedTimes, faultOf } from '../runtime/answers';
import { type BrowserWallet, findChromium, type SnapBrowser, startBrowser } from '../runtime/chromium';
import { dialectOf } from '../runtime/manifest';
import { FLOOR, FLOOR_STATE, OURS } from '../runtime/names';
import { orderNote } from '../runtime/order';
import { type SnapRequest } from '../runtime/request';
import { snapFolders } from '../runtime/systems';
import { refusalNotes, signersOf } from './asking';
import { reasonOf } from './conversation';
import { grownLike, type Json } from './growth';
import { type Account, createAccount, keyringRequest, LIST, submit } from './snap-requests';

const SIZES = [1, 100, 1_000, 10_000];

type StoredAccount = {
  readonly account: { readonly id: string; readonly address: string; readonly options: { readonly index: number } };
  readonly key: { readonly index: number };
};
type State = { readonly accounts: Readonly<Record<string, StoredAccount>> };

const hex = (index: number, digits: number): string => index.toString(16).padStart(digits, '0');

/** The state with more derived accounts like an existing one: of the same form, with made-up addresses. */
function grown(state: State, like: StoredAccount, count: number): State {
  const more = Array.from({ length: count - 1 }, (_, number): [string, StoredAccount] => {
    const index = number + 1000;
    const id = `${hex(index, 8)}-0000-4000-8000-${hex(index, 12)}`;
    const account = {
      ...like.account,
      id,
      address: `0x${hex(index, 40)}`,
      options: { ...like.account.options, index },
    };
    return [id, { ...like, account, key: { ...like.key, index } }];
  });
  return { ...state, accounts: { ...state.accounts, ...Object.fromEntries(more) } };
}

/** A snap running with a number of accounts, and its requests. */
type Grown = {
  readonly requests: Readonly<Record<string, SnapRequest>>;
  /** Creates one more account each time. */
  readonly creation?: SnapRequest;
  /** Its stored state, if known. */
  readonly state?: State;
  /** Why some requests are missing. */
  readonly refused: Readonly<Record<string, string>>;
};
type Grow = (name: string, wallet: BrowserWallet, count: number) => Promise<Grown>;

const signed = ({ id, address }: Account): SnapRequest => submit(id, 'personal_sign', [MESSAGE, address]);
const getAccount = ({ id }: Account): SnapRequest => keyringRequest('keyring_getAccount', { id });

const growOurs: Grow = async (name, wallet, count) => {
  await wallet.install(name);
  const derived = await wallet.call<Account>(name, createAccount({}));
  const imported = await wallet.call<Account>(name, createAccount({ privateKey: `0x${KEY}` }));
  const state = (await wallet.state(name)).state as State;
  const like = state.accounts[derived.id];
  if (like === undefined) throw new Error('the account is not in the state');
  await wallet.stop(name);
  const more = grown(state, like, count);
  await wallet.install(name, { state: more });
  return {
    state: more,
    requests: {
      'personal_sign, own key': signed(derived),
      'personal_sign, imported key': signed(imported),
      keyring_getAccount: getAccount(derived),
      keyring_listAccounts: LIST,
    },
    creation: createAccount({}),
    refused: {},
  };
};

/** The same for a keyring given by the user, whose state is unknown. @param folder - With its manifest. */
const growGiven =
  (folder: string): Grow =>
  async (name, wallet, count) => {
    await wallet.install(name, { hasProvider: true });
    const { imported, own, asked } = await signersOf(name, wallet, dialectOf(folder));
    const like = (own ?? imported)?.account;
    if (like === undefined)
      throw new Error(Object.values({ ...asked.refused, ...asked.failed })[0] ?? 'it made no account');
    const { state, unencryptedState } = await wallet.state(name);
    await wallet.stop(name);
    await wallet.install(name, {
      state: grownLike(state as Json, like, count),
      unencryptedState: grownLike(unencryptedState as Json, like, count),
      hasProvider: true,
    });
    return {
      requests: { ...asked.requests, keyring_getAccount: getAccount(like), keyring_listAccounts: LIST },
      ...(own !== undefined && { creation: own.request }),
      refused: { ...asked.refused, ...asked.failed },
    };
  };

const sizeName = (count: number): string => `${count.toLocaleString('en')} accounts`;
/** @returns The name under which a snap runs with this many accounts. */
const runName = (system: string, count: number): string => `${system}, ${sizeName(count)}`;

/** Empty snaps with the same state: the simulated wallet's own time for no entry and for one entry of it. */
const FLOORS = [FLOOR, FLOOR_STATE];

/** @returns Milliseconds per request, by method and number of accounts; and for the first list after a start. */
async function measureGrowth(
  browser: SnapBrowser,
  system: string,
  grow: Grow,
  { quick, seed }: Pick<Options, 'quick' | 'seed'>,
) {
  const wallet = await browser.open();
  try {
    const requests: Record<string, Record<string, SnapRequest>> = {};
    const creations: Record<string, SnapRequest> = {};
    const first: Record<string, number> = {};
    let refused: Record<string, string> = {};
    for (const [at, count] of SIZES.entries()) {
      step(`${system} gets ${sizeName(count)}`, [at, SIZES.length]);
      // Each has its own accounts, since a snap's entropy depends on its origin.
      const name = runName(system, count);
      const snap = await grow(name, wallet, count);
      refused = { ...snap.refused };
      if (snap.state !== undefined) {
        for (const floor of FLOORS) {
          await wallet.install(runName(floor, count), { state: snap.state });
          (requests[`${floor}, the same state`] ??= {})[runName(floor, count)] = LIST;
        }
      }
      if (snap.creation !== undefined) creations[name] = snap.creation;
      const start = performance.now();
      const listed = await wallet.call<readonly unknown[]>(name, LIST);
      first[sizeName(count)] = performance.now() - start;
      if (listed.length < count) throw new Error('its state is of a form that accounts cannot be added to');
      for (const [method, request] of Object.entries(snap.requests)) (requests[method] ??= {})[name] = request;
    }
    const bySize = (times: Readonly<Record<string, Summary>>): Record<string, Summary> =>
      Object.fromEntries(
        SIZES.flatMap((count) => {
          const found = [system, ...FLOORS]
            .map((name) => times[runName(name, count)])
            .find((each) => each !== undefined);
          return found === undefined ? [] : [[sizeName(count), found]];
        }),
      );
    const times: Record<string, Record<string, Summary>> = {};
    for (const [at, [method, request]] of Object.entries(requests).entries()) {
      step(`${system}: ${method}`, [at, Object.keys(requests).length]);
      const batch = method === 'keyring_listAccounts' ? 1 : 5;
      const measured = checkedTimes(await wallet.alternate(request, { rounds: quick ? 3 : 20, batch, seed }), request);
      for (const [name, reason] of Object.entries(measured.failed)) refused[`${method}, ${name}`] = reasonOf(reason);
      times[method] = bySize(measured.times);
    }
    const created: Record<string, Summary> = {};
    for (const [at, [name, request]] of Object.entries(creations).entries()) {
      step(`${name}: keyring_createAccount`, [at, Object.keys(creations).length]);
      const measured: number[] = [];
      for (let round = 0; round < (quick ? 2 : 5); round++) {
        const start = performance.now();
        const answer = await wallet.call(name, request);
        measured.push(performance.now() - start);
        const fault = faultOf(name, request, answer);
        if (fault !== undefined) throw new Error(`keyring_createAccount: ${fault}`);
      }
      created[name] = summary(measured);
    }
    if (Object.keys(created).length > 0) times.keyring_createAccount = bySize(created);
    return { times, first, refused };
  } finally {
    await wallet.close();
  }
}

const growthTable = (title: string, times: Readonly<Record<string, Readonly<Record<string, Summary>>>>): Table => {
  const names = SIZES.map(sizeName);
  return {
    title,
    columns: ['Request', ...names, 'last / first'],
    rows: Object.entries(times).map(([method, by]) => [
      method,
      ...names.map((name) => (by[name] === undefined ? '–' : spread(by[name]))),
      ((by[names.at(-1) ?? '']?.median ?? NaN) / (by[names[0] ?? '']?.median ?? NaN)).toFixed(2),
    ]),
  };
};

/** How a request's time grows with the number of accounts. */
export async function benchState({ given, seed, quick }: Options): Promise<Report | undefined> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: Chromium is not installed (apt-get install chromium, or set CHROMIUM to its path)');
    return undefined;
  }
  const { [OURS]: ours = '', [FLOOR]: floor = '', [FLOOR_STATE]: oneCall = '' } = await snapFolders();
  const mounts = Object.entries({ [OURS]: ours, [FLOOR]: floor, [FLOOR_STATE]: oneCall, ...given.folders }).flatMap(
    ([system, folder]) => SIZES.map((count) => [runName(system, count), folder] as const),
  );
  const browser = await startBrowser(chromium, Object.fromEntries(mounts));
  const title = (system: string): string =>
    `The same requests to ${system} with more and more accounts, ms, Chromium ${browser.version}; ${orderNote(seed)}`;
  try {
    const { times, first, refused } = await measureGrowth(browser, OURS, growOurs, { quick, seed });
    const tables = [growthTable(title(OURS), times)];
    const others: Record<string, unknown> = {};
    const notes = [...refusalNotes(OURS, refused), ...given.notes];
    for (const [name, folder] of Object.entries(given.folders)) {
      try {
        const { refused: left, ...measured } = await measureGrowth(browser, name, growGiven(folder), { quick, seed });
        tables.push(growthTable(title(name), measured.times));
        others[name] = measured;
        notes.push(...refusalNotes(name, left));
      } catch (error) {
        notes.push(`${name} is left out: ${reasonOf(error)}`);
      }
    }
    return {
      tables,
      charts: {
        state: barChart(
          'Latency by number of accounts',
          'ms, logarithmic',
          Object.entries(times).map(([name, by]) => ({
            name,
            values: Object.fromEntries(Object.entries(by).map(([size, { median }]) => [size, median])),
          })),
          'log',
        ),
      },
      data: { chromium: browser.version, seed, times, firstList: first, others },
      notes: [
        'Keystead reads and writes the same for a signature however many accounts there are, but for each such call the simulated wallet parses the whole state: an empty snap that reads one entry of the same state slows down equally. A signature with a derived key makes one such call, which records it; with an imported key, another one reads its entry. MetaMask keeps the state in memory and has no such cost. A response that lists all accounts grows with them.',
        ...notes,
      ],
    };
  } finally {
    await browser.close();
  }
}
