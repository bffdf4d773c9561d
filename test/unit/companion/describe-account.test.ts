import { describeAccount } from '../../../src/companion/model/describe-account';
import { type Account } from '../../../src/companion/model/types';

const ADDRESS = '0xC72E67790B356e391Ec48446F9A1724b9932A6af';
const named = (type: 'eip155:eoa' | 'eip155:erc4337', options: Account['options']): string =>
  describeAccount({ type, address: ADDRESS, options });

const derived = { entropy: { type: 'custom' }, index: 1 } as const;
const imported = { entropy: { type: 'private-key' } } as const;
const simple = { kind: 'simple-account-0.7', entryPointVersion: '0.7' };
const safe = { kind: 'safe-0.7', entryPointVersion: '0.7' };

it.each([
  ['Account 2', 'eip155:eoa', derived],
  ['Imported account C72E', 'eip155:eoa', imported],
  ['Smart account 2, entry point 0.7', 'eip155:erc4337', { ...derived, ...simple }],
  ['Safe 2, entry point 0.7', 'eip155:erc4337', { ...derived, ...safe }],
  ['Imported smart account C72E, entry point 0.7', 'eip155:erc4337', { ...imported, ...simple }],
  ['Imported Safe C72E, entry point 0.7', 'eip155:erc4337', { ...imported, ...safe }],
  ['Savings: Account 2', 'eip155:eoa', { ...derived, label: 'Savings' }],
] as const)('names an account "%s"', (name, type, options) => {
  expect(named(type, options)).toBe(name);
});
