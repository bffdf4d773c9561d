import { utf8ToBytes } from '@noble/hashes/utils.js';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { KINDS, type KindName } from '../../../../src/core/kinds';
import { defaultName, displayedNames } from '../../../../src/core/accounts/account-name';
import { namedBy, namedParts } from '../../../../src/snap/account/account-name';
import { withNames } from '../../../../src/companion/model/account-name';
import { newEoa } from '../../../../src/snap/account/account';
import { newSmartAccount } from '../../../../src/snap/account/smart-account';
import { type Entropy } from '../../../../src/snap/wallet/client';

const address = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const imported = { source: 'imported', privateKey: `0x${'42'.repeat(32)}` } as const;

const simple = KINDS['simple-account-0.7'].factory;
const usual = { kind: 'simple-account-0.7', factory: simple, salt: '0x2' };
const derived = (index: number) => ({ source: 'derived', index }) as const;

describe('the default name of an account', () => {
  it.each<[Omit<Parameters<typeof namedBy>[0], 'address'>, string]>([
    [{ key: derived(0) }, 'Keystead 1'],
    [{ key: derived(1) }, 'Keystead 2'],
    [{ key: imported }, 'Imported account 29C7'],
    [{ key: derived(2), smart: usual }, 'Smart account 3'],
    [{ key: derived(2), smart: { ...usual, factory: simple.toLowerCase() } }, 'Smart account 3'],
    [{ key: derived(2), smart: { ...usual, salt: '0x5' } }, 'Smart account 3 (29C7)'],
    [{ key: derived(2), smart: { ...usual, factory: address } }, 'Smart account 3 (29C7)'],
    [{ key: derived(2), smart: { ...usual, kind: 'simple-account-0.6', salt: '0x5' } }, 'Smart account 3 (0.6, 29C7)'],
    [{ key: imported, smart: usual }, 'Imported smart account 29C7'],
    [{ key: imported, smart: { ...usual, kind: 'safe-0.7' } }, 'Imported Safe 29C7'],
    // From a backup of another version.
    [{ key: derived(2), smart: { ...usual, kind: 'constructor' } }, 'Smart account 3 (29C7)'],
  ])('of %j is %s', (named, name) => {
    expect(defaultName(namedBy({ address, ...named }))).toBe(name);
  });

  it('tells stored accounts apart, and contains neither a chain id nor a label', async () => {
    const entropy: Entropy = (salt) => Promise.resolve(keccak256(utf8ToBytes(salt)));
    const smart = (kind: KindName, index: number, salt = BigInt(index), factory?: `0x${string}`) =>
      newSmartAccount({ kind, key: derived(index), salt, factory }, ['eip155:1', 'eip155:10'], entropy);
    const all = [
      newEoa(address, derived(0)),
      newEoa(address, derived(1)),
      newEoa(address, imported),
      await smart('simple-account-0.6', 0),
      await smart('simple-account-0.7', 0),
      await smart('simple-account-0.8', 0),
      await smart('safe-0.7', 0),
      await smart('safe-0.7', 1),
      // The same index, with a different salt or factory.
      await smart('safe-0.7', 1, 5n),
      await smart('safe-0.7', 1, 5n, address),
    ];
    const digits = all.map(({ account }) => account.address.slice(2, 6));
    const names = displayedNames(all.map(namedParts));
    expect(names).toEqual([
      'Keystead 1',
      'Keystead 2',
      'Imported account 29C7',
      'Smart account 1 (0.6)',
      'Smart account 1',
      'Smart account 1 (0.8)',
      'Safe 1',
      'Safe 2',
      `Safe 2 (${digits[8]})`,
      `Safe 2 (${digits[9]})`,
    ]);
    expect(new Set(names).size).toBe(all.length);
    // The page knows only what Keystead tells it of the accounts, and calls them the same.
    expect(withNames(all.map(({ account }) => account)).map(({ name }) => name)).toEqual(names);
    // The name of an account does not depend on the others.
    expect(all.toReversed().map((stored) => defaultName(namedParts(stored)))).toEqual(names.toReversed());
  });
});

describe('the displayed names of accounts', () => {
  const labelled = (index: number, label: unknown) => ({ address, key: derived(index), label });

  it('are those that the person gave', () => {
    expect(displayedNames([labelled(0, 'Savings'), labelled(1, undefined), labelled(2, 5)])).toEqual([
      'Savings',
      'Keystead 2',
      'Keystead 3',
    ]);
  });

  it('tell apart accounts with the same given name', () => {
    expect(displayedNames([labelled(0, 'Savings'), labelled(1, ' savings'), labelled(2, 'Rent')])).toEqual([
      'Savings (Keystead 1)',
      ' savings (Keystead 2)',
      'Rent',
    ]);
  });

  it.each([
    'Keystead 2',
    'keystead 2 ',
    'Smart account 1',
    'Imported account 29C7',
    'Safe 1',
    'Account 1',
    '\uff2beystead 2',
  ])('say which account is called %j, like the default name of another', (label) => {
    expect(displayedNames([labelled(0, label)])).toEqual([`${label} (Keystead 1)`]);
  });

  it('show what is hidden in a given name', () => {
    expect(displayedNames([labelled(0, 'Sav\u202eings')])).toEqual(['Sav\\u{202e}ings']);
  });
});
