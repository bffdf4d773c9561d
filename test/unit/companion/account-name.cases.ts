import { accountKind, accountName } from '../../../src/companion/model/account-name';
import { type Account } from '../../../src/companion/model/types';

const ADDRESS = '0xC72E67790B356e391Ec48446F9A1724b9932A6af';
const account = (type: 'eip155:eoa' | 'eip155:erc4337', options: Account['options']) => ({
  type,
  address: ADDRESS,
  options,
});

const derived = { entropy: { type: 'custom' }, index: 1 } as const;
const imported = { entropy: { type: 'private-key' } } as const;
const simple = { kind: 'simple-account-0.7', entryPointVersion: '0.7' };
const safe = { kind: 'safe-0.7', entryPointVersion: '0.7' };

it.each([
  ['Keystead 2', 'Standard account', 'eip155:eoa', derived],
  ['Imported account C72E', 'Standard account, imported', 'eip155:eoa', imported],
  ['Smart account 2', 'Smart account, entry point 0.7', 'eip155:erc4337', { ...derived, ...simple }],
  [
    'Smart account 2 (0.8)',
    'Smart account, entry point 0.8',
    'eip155:erc4337',
    { ...derived, kind: 'simple-account-0.8', entryPointVersion: '0.8' },
  ],
  ['Safe 2', 'Safe, entry point 0.7', 'eip155:erc4337', { ...derived, ...safe }],
  [
    'Imported smart account C72E',
    'Smart account, entry point 0.7, imported',
    'eip155:erc4337',
    { ...imported, ...simple },
  ],
  ['Imported Safe C72E', 'Safe, entry point 0.7, imported', 'eip155:erc4337', { ...imported, ...safe }],
  ['Savings', 'Standard account', 'eip155:eoa', { ...derived, label: 'Savings' }],
] as const)('calls an account "%s", and says that it is a "%s"', (name, kind, type, options) => {
  expect(accountName(account(type, options))).toBe(name);
  expect(accountKind(account(type, options))).toBe(kind);
});
