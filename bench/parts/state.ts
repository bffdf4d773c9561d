import { type Options } from '../options';
import { KEY, MESSAGE } from '../payloads';
import { barChart } from '../report/chart';
import { type Report } from '../report/report';
import { spread, summaries, summary, type Summary } from '../report/statistics';
import { findChromium, startBrowser, type Stored } from '../runtime/chromium';
import { type SnapRequest } from '../runtime/request';
import { OURS } from '../runtime/names';
import { snapFolders } from '../runtime/systems';
import { type Account, createAccount, LIST, submit } from './snap-requests';

const SIZES = [1, 100, 1_000, 10_000];

type StoredAccount = {
  readonly account: { readonly id: string; readonly address: string; readonly options: { readonly index: number } };
  readonly key: { readonly index: number };
};
type State = { readonly accounts: Readonly<Record<string, StoredAccount>> };

const hex = (index: number, digits: number): string => index.toString(16).padStart(digits, '0');

/** The state with more derived accounts like one that is there: of the same form, with addresses of nobody. */
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

const signed = ({ id, address }: Account): SnapRequest => submit(id, 'personal_sign', [MESSAGE, address]);

/** How a request's time grows with the number of accounts. */
export async function benchState({ quick }: Options): Promise<Report | undefined> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: no Chromium on this machine (apt-get install chromium, or name one in CHROMIUM)');
    return undefined;
  }
  const { [OURS]: ours = '' } = await snapFolders({});
  const nameOf = (count: number): string => `${count.toLocaleString('en')} accounts`;
  const names = SIZES.map(nameOf);
  const browser = await startBrowser(chromium, Object.fromEntries(names.map((name) => [name, ours])));
  try {
    const wallet = await browser.open();
    const requests: Record<string, Record<string, SnapRequest>> = {};
    const first: Record<string, number> = {};
    for (const [index, count] of SIZES.entries()) {
      const name = names[index] ?? '';
      // Each has accounts of its own: a snap's entropy depends on where it comes from.
      await wallet.install(name);
      const derived = await wallet.call<Account>(name, createAccount({}));
      const imported = await wallet.call<Account>(name, createAccount({ privateKey: `0x${KEY}` }));
      const state = (await wallet.state(name)).state as unknown as State;
      const like = state.accounts[derived.id];
      if (like === undefined) throw new Error('the account is not in the state');
      await wallet.stop(name);
      await wallet.install(name, { state: grown(state, like, count) as unknown as Stored['state'] });
      const start = performance.now();
      await wallet.call(name, LIST);
      first[name] = performance.now() - start;
      for (const [method, request] of Object.entries({
        'personal_sign, own key': signed(derived),
        'personal_sign, imported key': signed(imported),
        keyring_getAccount: { ...LIST, method: 'keyring_getAccount', params: { id: derived.id } },
        keyring_listAccounts: LIST,
      }))
        (requests[method] ??= {})[name] = request;
    }
    const times: Record<string, Record<string, Summary>> = {};
    for (const [method, request] of Object.entries(requests)) {
      const measured = await wallet.alternate(request, quick ? 3 : 20, method === 'keyring_listAccounts' ? 1 : 5);
      times[method] = summaries(measured.times);
    }
    const creations: Record<string, Summary> = {};
    for (const name of names) {
      const measured: number[] = [];
      for (let round = 0; round < (quick ? 2 : 5); round++) {
        const start = performance.now();
        await wallet.call(name, createAccount({}));
        measured.push(performance.now() - start);
      }
      creations[name] = summary(measured);
    }
    times.keyring_createAccount = creations;
    return {
      tables: [
        {
          title: `The same requests with more and more accounts, ms, Chromium ${browser.version}`,
          columns: ['Request', ...names, 'last / first'],
          rows: Object.entries(times).map(([method, by]) => [
            method,
            ...names.map((name) => (by[name] === undefined ? '–' : spread(by[name]))),
            ((by[names.at(-1) ?? '']?.median ?? NaN) / (by[names[0] ?? '']?.median ?? NaN)).toFixed(2),
          ]),
        },
      ],
      charts: {
        state: barChart(
          'Latency by number of accounts',
          'ms, logarithmic',
          Object.entries(times).map(([name, by]) => ({
            name,
            values: Object.fromEntries(Object.entries(by).map(([system, { median }]) => [system, median])),
          })),
          'log',
        ),
      },
      data: { chromium: browser.version, times, firstList: first },
      notes: [
        'A signature of an own key reads nothing of the state. That of an imported key reads its own entry, for which the simulated wallet parses the whole state each time: that is its share of the growth, and MetaMask, which keeps the state in memory, does not have it. An answer that lists all accounts grows with them.',
      ],
    };
  } finally {
    await browser.close();
  }
}
