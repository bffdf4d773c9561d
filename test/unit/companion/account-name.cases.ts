import { accountKind, limitsOf, withNames } from '../../../src/companion/model/account-name';
import { KINDS } from '../../../src/core/kinds';
import { type Account } from '../../../src/companion/model/types';

const OWNER = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const ADDRESS = '0xC72E67790B356e391Ec48446F9A1724b9932A6af';
const EOA = 'eip155:eoa';
const SMART = 'eip155:erc4337';

const account = (type: typeof EOA | typeof SMART, options: Account['options'], address: string = ADDRESS) => ({
  id: address,
  type,
  address,
  options,
  scopes: [],
  methods: [],
});
/** The address that the factory of a kind gives to an owner. */
const addressOf = (kind: keyof typeof KINDS, salt: bigint): string =>
  KINDS[kind].address({ factory: KINDS[kind].factory, owner: OWNER, salt });

const derived = { entropy: { type: 'custom' }, index: 1 } as const;
const imported = { entropy: { type: 'private-key' } } as const;
const simple = { kind: 'simple-account-0.7', entryPointVersion: '0.7', owner: OWNER };
const latest = { kind: 'simple-account-0.8', entryPointVersion: '0.8', owner: OWNER };
const safe = { kind: 'safe-0.7', entryPointVersion: '0.7', owner: OWNER };

const nameOf = (...all: Parameters<typeof account>[]): string[] =>
  withNames(all.map((each) => account(...each))).map(({ name }) => name);

it.each([
  ['Keystead 2', 'Standard account', EOA, derived, ADDRESS],
  ['Imported account C72E', 'Standard account, imported', EOA, imported, ADDRESS],
  ['Smart account 2', 'SimpleAccount 0.7', SMART, { ...derived, ...simple }, addressOf('simple-account-0.7', 1n)],
  ['Smart account 2 (0.8)', 'SimpleAccount 0.8', SMART, { ...derived, ...latest }, addressOf('simple-account-0.8', 1n)],
  ['Safe 2', 'Safe', SMART, { ...derived, ...safe }, addressOf('safe-0.7', 1n)],
  ['Imported smart account C72E', 'SimpleAccount 0.7, imported', SMART, { ...imported, ...simple }, ADDRESS],
  ['Imported Safe C72E', 'Safe, imported', SMART, { ...imported, ...safe }, ADDRESS],
  ['Savings', 'Standard account', EOA, { ...derived, label: 'Savings' }, ADDRESS],
] as const)('calls an account "%s", and says that it is a "%s"', (name, kind, type, options, address) => {
  expect(nameOf([type, options, address])).toEqual([name]);
  expect(accountKind(account(type, options))).toBe(kind);
});

it.each([
  ['with another salt', safe, addressOf('safe-0.7', 5n)],
  ['of another kind', safe, addressOf('simple-account-0.7', 1n)],
  ['of another owner', { ...safe, owner: ADDRESS }, addressOf('safe-0.7', 1n)],
  ['without an owner', { ...safe, owner: null }, addressOf('safe-0.7', 1n)],
  ['given by a recovery', { ...safe, isRecovered: true }, ADDRESS],
])('tells a Safe %s apart from the one that its key makes itself', (_what, options, address) => {
  expect(nameOf([SMART, { ...derived, ...options }, address])).toEqual([`Safe 2 (${address.slice(2, 6)})`]);
});

it('does not let a label pass one account off as another', () => {
  expect(nameOf([EOA, { ...derived, label: 'Savings' }], [EOA, { index: 4, label: ' savings' }])).toEqual([
    'Savings (Keystead 2)',
    ' savings (Keystead 5)',
  ]);
  expect(nameOf([EOA, { ...derived, label: 'Safe 1' }])).toEqual(['Safe 1 (Keystead 2)']);
  expect(nameOf([EOA, { ...derived, label: 'Sav\u202eings' }])).toEqual(['Sav\\u{202e}ings']);
});

it('says what an account cannot do, and for a Safe how MetaMask fails with it', () => {
  const say = (options: object, type: 'eip155:eoa' | 'eip155:erc4337' = SMART) =>
    limitsOf(account(type, { ...derived, ...options }));
  expect(say({ kind: 'simple-account-0.7' })).toContain('cannot sign in to sites');
  expect(say({ kind: 'simple-account-0.7' })).not.toContain('13.36');
  expect(say(safe)).toContain('13.36');
  expect(say({}, 'eip155:eoa')).toContain('MetaMask does not upgrade it');
});
