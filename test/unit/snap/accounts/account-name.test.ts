import { utf8ToBytes } from '@noble/hashes/utils.js';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { accountName, storedName } from '../../../../src/snap/accounts/account-name';
import { newEoa } from '../../../../src/snap/accounts/account';
import { newSmartAccount } from '../../../../src/snap/accounts/smart-account';
import { type Entropy } from '../../../../src/snap/platform/entropy';

const address = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const imported = { source: 'imported', privateKey: `0x${'42'.repeat(32)}` } as const;

describe('the name of an account', () => {
  it.each([
    [{ key: { source: 'derived', index: 0 } }, 'Account 1'],
    [{ key: { source: 'derived', index: 1 } }, 'Account 2'],
    [{ key: imported }, 'Imported account 29C7'],
    [{ key: { source: 'derived', index: 0 }, label: 'Savings' }, 'Savings (Account 1)'],
    [{ key: { source: 'derived', index: 0 }, label: 5 }, 'Account 1'],
    [
      {
        key: { source: 'derived', index: 2 },
        smart: { kind: 'simple-account-0.7', scopes: ['eip155:1', 'eip155:10'] },
      },
      'Account 3 29C7, SimpleAccount 0.7 on eip155:1, eip155:10',
    ],
    [
      { key: imported, smart: { kind: 'safe-0.7', scopes: ['eip155:1'] } },
      'Imported account 29C7, Safe 1.4.1 on eip155:1',
    ],
    // From a backup of another version.
    [
      { key: imported, smart: { kind: 'constructor', scopes: ['eip155:1'] } },
      'Imported account 29C7, constructor on eip155:1',
    ],
  ] as [Omit<Parameters<typeof accountName>[0], 'address'>, string][])('of %j is %s', (named, name) => {
    expect(accountName({ address, ...named })).toBe(name);
  });

  it('distinguishes stored accounts', async () => {
    const entropy: Entropy = (salt) => Promise.resolve(keccak256(utf8ToBytes(salt)));
    const smart = (kind: 'simple-account-0.6' | 'safe-0.7', index: number, salt = 0n, factory?: `0x${string}`) =>
      newSmartAccount({ kind, key: { source: 'derived', index }, salt, factory }, ['eip155:1'], entropy);
    const all = [
      newEoa(address, { source: 'derived', index: 0 }),
      newEoa(address, { source: 'derived', index: 1 }),
      newEoa(address, imported),
      await smart('simple-account-0.6', 0),
      await smart('safe-0.7', 0),
      await smart('safe-0.7', 1),
      // The same index, with a different salt or factory.
      await smart('safe-0.7', 1, 5n),
      await smart('safe-0.7', 1, 5n, address),
    ];
    const digits = all.map(({ account }) => account.address.slice(2, 6));
    expect(all.map(storedName)).toEqual([
      'Account 1',
      'Account 2',
      'Imported account 29C7',
      `Account 1 ${digits[3]}, SimpleAccount 0.6 on eip155:1`,
      `Account 1 ${digits[4]}, Safe 1.4.1 on eip155:1`,
      `Account 2 ${digits[5]}, Safe 1.4.1 on eip155:1`,
      `Account 2 ${digits[6]}, Safe 1.4.1 on eip155:1`,
      `Account 2 ${digits[7]}, Safe 1.4.1 on eip155:1`,
    ]);
    expect(new Set(all.map(storedName)).size).toBe(all.length);
  });
});
