import { networkOf } from '../../../src/core/networks/network';
import { shareable } from '../../../src/companion/model/recovery-proposal';
import { linkTo, partsOf } from '../../../src/companion/model/route';
import { type Hex } from '../../../src/core/eth/bytes';
import {
  areOthers,
  contactsOn,
  linkInSheet,
  lostName,
  lostSheet,
  readSheet,
  sheetOf,
  type Sheet,
  sheetParts,
  sheetText,
} from '../../../src/companion/model/sheet';
import { MODULE, nodeWith, GUARDED, SAFE } from '../../support/recovery-node';
import { readRecovery } from '../../../src/core/safe/recovery/state';

const BEN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BROKEN = '0x70997970C51812dc3A010C7d01b50e0d17dc79c8';
const SHEET: Sheet = {
  chainId: 10n,
  safe: SAFE,
  module: MODULE.address,
  name: 'My savings / 2',
  rpcUrl: 'https://node.example/rpc',
  bundlerUrl: undefined,
  guardians: [
    { address: BEN, name: 'Ben “B.” Smith' },
    { address: SAFE, name: undefined },
  ],
};

const through = (sheet: Sheet): Sheet => readSheet(partsOf(linkTo(...sheetParts(sheet))).slice(1));

it('is read from its link as it was written', () => {
  expect(through(SHEET)).toEqual(SHEET);
  const least = { chainId: 1n, safe: SAFE, guardians: [] };
  expect(through(least)).toEqual(least);
});

it('is found in the text that was saved', async () => {
  const state = (await readRecovery(SAFE, MODULE, nodeWith(GUARDED)))!;
  const link = `https://wallet.example/${linkTo(...sheetParts(SHEET))}`;
  const text = sheetText(SHEET, networkOf(SHEET.chainId), link, { module: MODULE, state });
  expect(text).toContain('of whom 2 must confirm');
  expect(readSheet(partsOf(linkInSheet(text)).slice(1))).toEqual(SHEET);
  expect(() => linkInSheet('https://wallet.example/#/recover/1')).toThrow('Sheet: must be one that this page saved');
});

it.each<[string, readonly string[], string]>([
  ['no network', ['one', SAFE], 'network: must be a whole number above 0'],
  ['an account with a broken checksum', ['1', BROKEN], 'account: must be an address with the right checksum'],
  ['half an address', ['1', '0x12'], 'account: must be an address'],
  ['a guardian with a broken checksum', ['1', SAFE, '-', '-', '-', '-', `${BROKEN} Ben`], 'guardians: must be an'],
  ['a node without encryption', ['1', SAFE, '-', '-', 'http://node.example'], 'node: must be an https URL'],
  ['a node in the own network', ['1', SAFE, '-', '-', 'https://192.168.1.1'], 'node: must be an https URL'],
  ['a node that is a script', ['1', SAFE, '-', '-', 'javascript:alert(1)'], 'node: must be an https URL'],
  ['too many guardians', ['1', SAFE, '-', '-', '-', '-', ...new Array<string>(101).fill(BEN)], 'guardians: must be at'],
])('is refused with %s', (_what, parts, rule) => {
  expect(() => readSheet(parts)).toThrow(rule);
});

it.each(['0x70997970', 'Вen', 'Ben\u202e', ' '.repeat(3), 'x'.repeat(65)])('has no guardian called %j', (name) => {
  expect(readSheet(['1', SAFE, '-', name, '-', '-', `${BEN} ${name}`])).toMatchObject({
    name: undefined,
    guardians: [{ address: BEN, name: undefined }],
  });
});

it.each([
  'https://mainnet.infura.io/v3/0123456789abcdef0123456789abcdef',
  'https://eth-mainnet.g.alchemy.com/v2/Ab-0123456789_cd',
  'https://node.example/?key=1',
  'https://0123456789abcdef01234567.node.example',
  'http://127.0.0.1:8545/0123456789abcdef0123/rpc',
])('does not give away the key in %s', (url) => {
  expect(shareable(url)).toBeUndefined();
});

it.each(['https://rpc.ankr.com/eth', 'https://arbitrum-sepolia-rpc.publicnode.com', 'http://127.0.0.1:8545/'])(
  'names the node %s',
  (url) => {
    expect(shareable(url)).toBe(url);
  },
);

it.each([
  [23, 0],
  [103, 3],
])('of %i guardians names all but %i, and says how many those are', async (count, unnamed) => {
  const guardians = Array.from({ length: count }, (_, index): Hex => `0x${String(index + 100).padStart(40, '0')}`);
  const state = (await readRecovery(SAFE, MODULE, nodeWith({ ...GUARDED, guardians })))!;
  const chain = { chainId: 'eip155:10', rpcUrl: 'https://node.example' } as const;
  const found = { module: MODULE, state };
  const sheet = sheetOf({ address: SAFE, name: 'Savings' }, chain, {}, found, () => undefined);
  const text = sheetText(sheet, networkOf(sheet.chainId), 'link', found);
  expect(guardians.filter((guardian) => text.includes(guardian))).toHaveLength(count - unnamed);
  expect(/and \d+ more guardians, whom the network names/u.exec(text)?.[0]).toBe(
    unnamed === 0 ? undefined : `and ${unnamed} more guardians, whom the network names`,
  );
  expect(through(sheet)).toEqual({ ...sheet, rpcUrl: undefined, bundlerUrl: undefined });
  // Those that are left out are no sign of a forged sheet; a guardian whom the network does not name is.
  expect(areOthers(sheet, guardians)).toBe(false);
  expect(areOthers(sheet, guardians.slice(1))).toBe(true);
});

it('is of the same guardians only if the network names no other', () => {
  const [ben, safe] = [BEN, SAFE] as const;
  expect(areOthers(SHEET, [safe, ben])).toBe(false);
  expect(areOthers(SHEET, [safe])).toBe(true);
  expect(areOthers(SHEET, [safe, ben, MODULE.address])).toBe(true);
  expect(areOthers({ guardians: [] }, [safe])).toBe(false);
});

describe('the contacts that a sheet adds', () => {
  const CLEO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
  const sheet = {
    guardians: [
      { address: BEN, name: 'Ben' },
      { address: SAFE, name: undefined },
    ],
  } as const;

  it('are nobody whom the network does not name a guardian, and none under the name of somebody else', () => {
    expect(contactsOn(sheet, [CLEO], [])).toEqual([]);
    expect(contactsOn(sheet, [BEN], [{ name: 'ben', address: CLEO }])).toEqual([]);
    expect(contactsOn(sheet, [BEN], [{ name: 'My brother', address: BEN }])).toEqual([]);
  });

  it('are the guardians with names', () => {
    expect(contactsOn(sheet, [BEN, SAFE], [{ name: 'Cleo', address: CLEO }])).toEqual([{ name: 'Ben', address: BEN }]);
  });
});

describe('the name of a lost account', () => {
  let kept: string | null;
  beforeEach(() => {
    kept = null;
    const setItem = (_key: string, value: string) => (kept = value);
    Object.assign(globalThis, { localStorage: { getItem: () => kept, setItem } });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'localStorage');
  });

  it('comes back for the account of the sheet, and for no other', () => {
    expect(lostName(SAFE)).toBeUndefined();
    lostSheet.write(sheetParts(SHEET));
    expect(lostName(SAFE)).toBe('My savings / 2');
    expect(lostName(BEN)).toBeUndefined();
  });
});
