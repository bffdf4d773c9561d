import { AbiCoder, concat, getCreate2Address, getCreateAddress, Interface, keccak256, toBeHex } from 'ethers';
import fc from 'fast-check';

import { KINDS } from '../../src/core/kinds';
import { PROXY_06, PROXY_07, PROXY_08 } from '../../src/core/erc4337/simple-account/proxy-code';
import { type Call } from '../../src/core/erc4337/user-operation';
import { type Hex, toHex } from '../../src/core/eth/bytes';
import { expectNoChangeUnderstood } from '../support/changed-call-data';
import { fuzzing } from '../support/fuzz';
import { hexOf } from '../support/any-typed-data';

const bytes = fc.uint8Array({ maxLength: 120 }).map(toHex);
const address = hexOf(20);
const upTo = (bits: bigint) => fc.bigInt({ min: 0n, max: (1n << bits) - 1n });
const call: fc.Arbitrary<Call> = fc.record({ to: address, value: upTo(256n), data: bytes });
const several = fc.array(call, { minLength: 2, maxLength: 6 });
const withoutValue = (calls: Call[]): Call[] => calls.map((one) => ({ ...one, value: 0n }));

const ABIS = {
  execute: 'function execute(address dest, uint256 value, bytes func)',
  batch06: 'function executeBatch(address[] dest, bytes[] func)',
  batch07: 'function executeBatch(address[] dest, uint256[] value, bytes[] func)',
  batch08: 'function executeBatch((address target, uint256 value, bytes data)[] calls)',
} as const;

const BATCHES = [
  ['simple-account-0.6', ABIS.batch06, (calls: Call[]) => [calls.map(({ to }) => to), calls.map(({ data }) => data)]],
  [
    'simple-account-0.7',
    ABIS.batch07,
    (calls: Call[]) => [calls.map(({ to }) => to), calls.map(({ value }) => value), calls.map(({ data }) => data)],
  ],
  ['simple-account-0.8', ABIS.batch08, (calls: Call[]) => [calls.map(({ to, value, data }) => [to, value, data])]],
] as const;

describe.each(BATCHES)('the call data of %s', (kindName, batchAbi, argumentsOf) => {
  const kind = KINDS[kindName];
  const prepared = (calls: Call[]): Call[] => (kindName === 'simple-account-0.6' ? withoutValue(calls) : calls);

  it('of one call is execute(), as ethers encodes it', () => {
    fc.assert(
      fc.property(call, (one) => {
        const ours = kind.encodeCalls([one]);
        expect(ours).toBe(new Interface([ABIS.execute]).encodeFunctionData('execute', [one.to, one.value, one.data]));
        expect(kind.decodeCalls(ours)).toEqual([one]);
      }),
      fuzzing(100),
    );
  });

  it('of several calls is executeBatch(), as ethers encodes it', () => {
    fc.assert(
      fc.property(several, (many) => {
        const calls = prepared(many);
        const ours = kind.encodeCalls(calls);
        expect(ours).toBe(new Interface([batchAbi]).encodeFunctionData('executeBatch', argumentsOf(calls)));
        expect(kind.decodeCalls(ours)).toEqual(calls);
      }),
      fuzzing(100),
    );
  });

  it('does not depend on the letter case of addresses and data', () => {
    fc.assert(
      fc.property(several, (many) => {
        const calls = prepared(many);
        const upper = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;
        const shouted = calls.map(({ to, value, data }) => ({ to: upper(to), value, data: upper(data) }));
        expect(kind.encodeCalls(shouted)).toBe(kind.encodeCalls(calls));
      }),
      fuzzing(50),
    );
  });

  it('is rejected if truncated, extended or changed', () => {
    expectNoChangeUnderstood(kind, several.map(prepared), 200);
  });

  it('is rejected if decoding would expand it', () => {
    // 3000 items whose offsets all point at the same 90 kB.
    const word = (value: number): string => value.toString(16).padStart(64, '0');
    const items = 3000;
    const list = word(items) + word(items * 32).repeat(items) + word(90_000) + '00'.repeat(90_016);
    const addresses = word(items) + word(1).repeat(items);
    const heads = {
      'simple-account-0.6': 2,
      'simple-account-0.7': 3,
      'simple-account-0.8': 1,
      'simple-account-0.9': 1,
    }[kindName];
    const selector = new Interface([batchAbi]).getFunction('executeBatch')?.selector ?? '';
    const at = heads * 32;
    const dataAt = word(at + addresses.length / 2);
    const head = heads === 1 ? word(32) : heads === 2 ? word(at) + dataAt : word(at) + word(at) + dataAt;
    const hostile = `${selector}${head}${heads === 1 ? '' : addresses}${list}`;
    expect(kind.decodeCalls(hostile as Hex)).toBeUndefined();
  });
});

const PROXY_CODES = {
  'simple-account-0.6': PROXY_06,
  'simple-account-0.7': PROXY_07,
  'simple-account-0.8': PROXY_08,
  'simple-account-0.9': PROXY_08,
} as const;

describe.each(Object.entries(PROXY_CODES))('the address of %s', (name, proxyCode) => {
  const kind = KINDS[name as keyof typeof KINDS];

  it('is the CREATE2 address according to ethers', () => {
    fc.assert(
      fc.property(address, address, upTo(256n), (factory, owner, salt) => {
        const initialize = new Interface(['function initialize(address)']).encodeFunctionData('initialize', [owner]);
        const constructorArguments = AbiCoder.defaultAbiCoder().encode(
          ['address', 'bytes'],
          [getCreateAddress({ from: factory, nonce: 1 }), initialize],
        );
        expect(kind.address({ factory, owner, salt })).toBe(
          getCreate2Address(factory, toBeHex(salt, 32), keccak256(concat([proxyCode, constructorArguments]))),
        );
        const createAccount = new Interface(['function createAccount(address,uint256)']);
        expect(kind.initCode({ factory, owner, salt })).toBe(
          concat([factory, createAccount.encodeFunctionData('createAccount', [owner, salt])]),
        );
      }),
      fuzzing(50),
    );
  });
});
