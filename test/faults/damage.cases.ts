import { type Json } from '@metamask/snaps-sdk';

import { STATE_VERSION } from '../../src/snap/wallet/state';
import version2 from '../snap/states/version-2.json';
import { textOf } from '../support/screen-text';
import {
  type Accounts,
  after,
  callsFrom,
  CHAIN,
  configuration,
  type Furnished,
  furnished,
  KEY,
  SMART,
  TO,
} from '../support/whole-snap/fixture';
import { faultsOfError } from '../support/whole-snap/matrix';
import { DAPP, OTHER, SnapInProcess } from '../support/wallet/in-process';
import { type WalletDouble } from '../support/wallet/wallet-double';
import { perRun } from '../support/nightly';

const THIRD = 'https://third.example';
const INTENTS = [{ to: TO, value: '0x1', data: '0x' }];

const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replacement values. */
const GARBAGE: readonly (readonly [string, Json])[] = [
  ['null', null],
  ['text', 'garbage'],
  ['a number', 5],
  ['a list', ['garbage']],
  ['another object', { garbage: true }],
  ['something huge', { garbage: 'x'.repeat(1_000_000) }],
];
const ANYTHING: readonly (readonly [string, Json | undefined])[] = [...GARBAGE, ['missing', undefined]];

let there: Furnished;
let whole: WalletDouble;
beforeAll(async () => {
  there = await furnished();
  const { accounts, world } = there;
  whole = await after(
    world,
    (session) => session.dapp('eth_requestAccounts', [], THIRD),
    (session) => session.dapp('wallet_sendCalls', callsFrom(accounts.eoa.address)),
    (session) => session.submit(accounts.smart.id, 'eth_prepareUserOperation', INTENTS, CHAIN),
    (session) => session.input({ type: 'FormSubmitEvent', name: 'settings', value: { confirmSignatures: 'always' } }),
  );
  whole.write('storage', { url: 'https://storage.example', key: 'a-key', secret: 'storage secret' });
  whole.write('backup', { cid: `bafkrei${'a'.repeat(52)}`, size: 4096, accounts: 4, createdAt: 1_700_000_000 });
});

/** The state with one place replaced. The path is separated by |; undefined removes the value. */
function damagedAt(key: string, value: Json | undefined): WalletDouble {
  const world = whole.clone();
  const steps = key.split('|');
  const last = steps.pop()!;
  const parent = steps.reduce((state, step) => state[step] as Record<string, Json>, world.state);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else parent[last] = value;
  return world;
}

const signs = (session: SnapInProcess, { id, address }: Accounts[keyof Accounts]): Promise<Json> =>
  session.submit(id, 'personal_sign', ['0x4869', address]);

const homeOf = async (session: SnapInProcess): Promise<string> => textOf(await session.home());

/** Failures must have a readable message. */
async function inWords(session: SnapInProcess, work: Promise<unknown>, may = ''): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    const { code } = (error as { data: { code: string } }).data;
    if (code !== may) expect(faultsOfError(error, session.world)).toEqual([]);
    return false;
  }
}

const recover = async (session: SnapInProcess): Promise<void> => {
  for (const options of [{}, { privateKey: KEY }, { ...SMART, index: 0 }, { ...SMART, index: 0, kind: 'safe-0.7' }])
    await session.keyring('keyring_createAccount', { options });
};

const TOP = ['accounts', 'settings', 'chains', 'grants', 'batches', 'prepared', 'storage', 'backup'];
/** Parts that the test does not write afterwards. */
const NOT_WRITTEN = ['storage', 'batches', 'chains'];
/** Expendable parts: they expire after an hour, or the next backup writes them again. */
const UNSAID = ['prepared', 'backup'];

describe.each(TOP)('a state in which %s is', (part) => {
  it.each(ANYTHING)('%s: reports it, and the rest stays usable', async (_what, value) => {
    const { accounts } = there;
    const world = damagedAt(part, value);
    const session = new SnapInProcess(world);
    const isSaid = value !== undefined && value !== null && !UNSAID.includes(part);
    expect((await homeOf(session)).includes('Damaged data')).toBe(isSaid);
    if (part !== 'accounts') {
      expect(await session.keyring('keyring_listAccounts')).toHaveLength(4);
      expect(await signs(session, accounts.eoa)).toMatchObject({ pending: false });
    }
    // Damaged chains may prevent all of this, as long as the error says why: without a chain's factory, the address of
    // a smart account is unknown, and a value that is not an object of chains is not overwritten.
    for (const work of [
      () => recover(session),
      () => session.keyring('keystead_setChain', configuration(31337)),
      () => session.dapp('eth_requestAccounts', [], OTHER),
    ]) {
      const isDone = await inWords(session, work());
      if (part !== 'chains') expect(isDone).toBe(true);
    }
    await session.input({ type: 'FormSubmitEvent', name: 'settings', value: { confirmSignatures: 'always' } });
    for (const { id, address } of Object.values(accounts)) {
      expect(await session.keyring('keyring_getAccount', { id })).toMatchObject({ address });
      expect(world.known.get(id)).toBe(address);
    }
    if (isSaid && !NOT_WRITTEN.includes(part)) expect(world.state.damaged).toEqual([{ part, stored: value }]);
  });
});

/** A place inside an entry has its own struct, so not every kind of replacement is needed. */
const IN_PLACES = ANYTHING.filter(([what]) => !['a list', 'something huge'].includes(what));

/** The values for a place: all in the nightly run, every day one in every second place. */
const valuesFor = (index: number): typeof IN_PLACES =>
  IN_PLACES.filter((_value, at) => perRun((at + index / 2) % IN_PLACES.length === 0, true));

/** Every place in a value. */
const placesIn = (value: Json, path: string): string[] => [
  path,
  ...(isObject(value) ? Object.entries(value).flatMap(([name, member]) => placesIn(member, `${path}|${name}`)) : []),
];

const MAKING: Readonly<Record<keyof Accounts, Record<string, Json>>> = {
  eoa: {},
  imported: { privateKey: KEY },
  smart: { ...SMART, index: 0 },
  safe: { ...SMART, index: 0, kind: 'safe-0.7' },
};

describe.each(Object.keys(MAKING) as (keyof Accounts)[])('an account (%s) that is damaged in any place', (name) => {
  it('signs nothing else, does not affect others, and can be recovered', async () => {
    const { accounts } = there;
    const { id, address } = accounts[name];
    const other = accounts[name === 'eoa' ? 'imported' : 'eoa'];
    const sign = (session: SnapInProcess): Promise<Json> =>
      name === 'smart'
        ? session.submit(id, 'eth_prepareUserOperation', INTENTS, CHAIN)
        : session.submit(id, 'personal_sign', ['0x4869', address], name === 'safe' ? CHAIN : '');
    const signature = await sign(new SnapInProcess(whole.clone()));
    const places = placesIn((whole.state.accounts as Record<string, Json>)[id]!, `accounts|${id}`);
    expect(places.length).toBeGreaterThan(8);
    for (const [index, place] of places.entries())
      for (const [what, value] of valuesFor(index)) {
        const world = damagedAt(place, value);
        const session = new SnapInProcess(world);
        const where = `${place} ${what}`;
        expect([where, await signs(session, other)]).toMatchObject([where, { pending: false }]);
        // A key with another address is reported as such: the state is damaged.
        const answer = async (): Promise<Json> => {
          let signed: Json = null;
          await inWords(
            session,
            sign(session).then((result) => (signed = result)),
            'internal',
          );
          return signed;
        };
        const again = async (): Promise<Json> => {
          await session.keyring('keyring_createAccount', { options: MAKING[name] });
          return answer();
        };
        const first = await answer();
        if (first !== null) expect([where, first]).toEqual([where, signature]);
        // An entry that looks like an account but is invalid disappears when the wallet removes it.
        if ((await again()) === null) {
          await session.keyring('keyring_deleteAccount', { id });
          expect([where, await again()]).toEqual([where, signature]);
        }
        expect([where, world.known.get(id)]).toEqual([where, address]);
      }
  });
});

describe('accounts with one damaged entry', () => {
  it('keep a copy of only that entry: the key of another is deleted with its account', async () => {
    const { accounts } = there;
    const world = damagedAt(`accounts|${accounts.eoa.id}`, 'garbage');
    await new SnapInProcess(world).keyring('keyring_deleteAccount', { id: accounts.imported.id });
    expect(world.state.damaged).toEqual([{ part: 'accounts', stored: { [accounts.eoa.id]: 'garbage' } }]);
    expect(JSON.stringify(world.state)).not.toContain(KEY.slice(2));
  });

  it('report an account stored under the id of another', async () => {
    const { [there.accounts.imported.id]: moved, ...others } = whole.state.accounts as Record<string, Json>;
    const world = damagedAt('accounts', { ...others, '00000000-0000-4000-8000-000000000000': moved! });
    expect(await homeOf(new SnapInProcess(world))).toContain('Damaged data');
  });
});

describe('a site with a damaged entry', () => {
  it.each(ANYTHING)('%s: is not connected, but others are', async (_what, value) => {
    const world = damagedAt(`grants|${DAPP}`, value);
    const session = new SnapInProcess(world);
    expect(await session.dapp('eth_accounts', [], DAPP)).toEqual([]);
    expect(await session.dapp('eth_accounts', [], THIRD)).toHaveLength(1);
    expect(await session.dapp('eth_requestAccounts', [], DAPP)).toHaveLength(1);
    if (value !== undefined) expect(world.state.damaged).toMatchObject([{ part: 'grants', stored: { [DAPP]: value } }]);
  });
});

describe('a version that is', () => {
  const isNone = (value: Json | undefined): boolean => value === undefined || value === null;

  it.each(ANYTHING.filter(([what]) => what !== 'a number'))('%s: the accounts stay usable', async (_what, value) => {
    const { accounts } = there;
    const world = damagedAt('version', value);
    const session = new SnapInProcess(world);
    expect(await session.keyring('keyring_listAccounts')).toHaveLength(4);
    for (const { id, address } of Object.values(accounts))
      expect(await session.keyring('keyring_getAccount', { id })).toMatchObject({ address });
    expect(await signs(session, accounts.imported)).toMatchObject({ pending: false });
    expect(await session.keyring('keyring_exportAccount', { id: accounts.imported.id })).toMatchObject({
      privateKey: KEY,
    });
    expect(await session.dapp('eth_accounts', [], THIRD)).toHaveLength(1);
  });

  it.each(ANYTHING.filter(([what]) => what !== 'a number'))(
    '%s: is reported until the first change, and kept as a copy',
    async (_what, value) => {
      const world = damagedAt('version', value);
      const before = structuredClone(world.state);
      expect((await homeOf(new SnapInProcess(world))).includes('stored data: the version of the data.')).toBe(
        !isNone(value),
      );
      if (!isNone(value)) expect(world.state).toEqual(before);
      const session = new SnapInProcess(world);
      await session.input({ type: 'FormSubmitEvent', name: 'settings', value: { confirmSignatures: 'never' } });
      const { damaged, ...rest } = world.state;
      expect(damaged).toEqual(isNone(value) ? undefined : [{ part: 'version', stored: value }]);
      expect(rest).toEqual({ ...before, version: STATE_VERSION, settings: { confirmSignatures: 'never' } });
      for (const told of [session, new SnapInProcess(world)]) expect(await homeOf(told)).not.toContain('Damaged data');
    },
  );

  it.each([3, 5])('of a newer Keystead (%i) is reported by every handler, and nothing is changed', async (value) => {
    const world = damagedAt('version', value);
    const before = structuredClone(world.state);
    const session = new SnapInProcess(world);
    for (const work of [
      session.keyring('keyring_listAccounts'),
      session.keyring('keyring_createAccount', { options: {} }),
      session.dapp('eth_requestAccounts', [], OTHER),
      session.home(),
    ])
      expect(await inWords(session, work)).toBe(false);
    expect(world.state).toEqual(before);
  });
});

describe('the state of an earlier release', () => {
  it.each(['nothing', ...TOP.filter((part) => part !== 'accounts')])('without %s is usable', async (part) => {
    const world = whole.clone();
    world.state = structuredClone(version2.state) as unknown as Record<string, Json>;
    Reflect.deleteProperty(world.state, part);
    const session = new SnapInProcess(world);
    const listed = (await session.keyring('keyring_listAccounts')) as (Accounts[keyof Accounts] & { type: string })[];
    expect(listed.map(({ id }) => id)).toEqual(Object.keys(version2.state.accounts));
    const standard = listed.filter(({ type }) => type === 'eip155:eoa');
    expect(standard).toHaveLength(2);
    for (const account of standard) expect(await signs(session, account)).toMatchObject({ pending: false });
    expect(await session.dapp('eth_requestAccounts', [], OTHER)).toHaveLength(1);
    expect(await homeOf(session)).not.toContain('Damaged data');
    expect(world.state.version).toBe(STATE_VERSION);
  });
});
