import { Interface } from 'ethers';
import fc from 'fast-check';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  getCreate2Address,
  keccak256,
  pad,
  parseAbi,
  toFunctionSelector,
} from 'viem';

import { KINDS } from '../../src/erc4337/kinds';
import { PROXY_06, PROXY_07, PROXY_08 } from '../../src/erc4337/simple-account/proxy-code';
import { type Call } from '../../src/erc4337/user-operation';
import { type Hex, toHex } from '../../src/eth/bytes';
import { expectNoChangeUnderstood } from '../helpers/changed-call-data';
import { fuzzing } from '../helpers/fuzz';
import { hexOf } from '../helpers/any-typed-data';

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
  [
    'simple-account-0.8',
    ABIS.batch08,
    (calls: Call[]) => [calls.map(({ to, value, data }) => ({ target: to, value, data }))],
  ],
] as const;

describe.each(BATCHES)('the call data of %s', (kindName, batchAbi, argumentsOf) => {
  const kind = KINDS[kindName];
  const prepared = (calls: Call[]): Call[] => (kindName === 'simple-account-0.6' ? withoutValue(calls) : calls);

  it('of one call is execute(), as viem and ethers encode it', () => {
    fc.assert(
      fc.property(call, (one) => {
        const ours = kind.encodeCalls([one]);
        expect(ours).toBe(
          encodeFunctionData({
            abi: parseAbi([ABIS.execute]),
            functionName: 'execute',
            args: [one.to, one.value, one.data],
          }),
        );
        expect(ours).toBe(new Interface([ABIS.execute]).encodeFunctionData('execute', [one.to, one.value, one.data]));
        expect(kind.decodeCalls(ours)).toEqual([one]);
      }),
      fuzzing(100),
    );
  });

  it('of several calls is executeBatch(), as viem and ethers encode it', () => {
    fc.assert(
      fc.property(several, (many) => {
        const calls = prepared(many);
        const ours = kind.encodeCalls(calls);
        const args = argumentsOf(calls);
        expect(ours).toBe(
          encodeFunctionData({ abi: parseAbi([batchAbi]), functionName: 'executeBatch', args } as never),
        );
        const forEthers =
          kindName === 'simple-account-0.8' ? [calls.map(({ to, value, data }) => [to, value, data])] : args;
        expect(ours).toBe(new Interface([batchAbi]).encodeFunctionData('executeBatch', forEthers as unknown[]));
        expect(kind.decodeCalls(ours)).toEqual(calls);
      }),
      fuzzing(100),
    );
  });

  it('that was cut, extended or bent is not understood', () => {
    expectNoChangeUnderstood(kind, several.map(prepared), 200);
  });

  it('that would blow up when it is decoded is not understood', () => {
    // 3000 items whose offsets all point at the same 90 kB.
    const word = (value: number): string => value.toString(16).padStart(64, '0');
    const items = 3000;
    const list = word(items) + word(items * 32).repeat(items) + word(90_000) + '00'.repeat(90_016);
    const addresses = word(items) + word(1).repeat(items);
    const heads = { 'simple-account-0.6': 2, 'simple-account-0.7': 3, 'simple-account-0.8': 1 }[kindName];
    const selector = toFunctionSelector(batchAbi);
    const at = heads * 32;
    const dataAt = word(at + addresses.length / 2);
    const head = heads === 1 ? word(32) : heads === 2 ? word(at) + dataAt : word(at) + word(at) + dataAt;
    const hostile: Hex = `${selector}${head}${heads === 1 ? '' : addresses}${list}`;
    expect(kind.decodeCalls(hostile)).toBeUndefined();
  });
});

const PROXY_CODES = {
  'simple-account-0.6': PROXY_06,
  'simple-account-0.7': PROXY_07,
  'simple-account-0.8': PROXY_08,
} as const;

describe.each(Object.entries(PROXY_CODES))('the address of %s', (name, proxyCode) => {
  const kind = KINDS[name as keyof typeof KINDS];

  it('is what CREATE2 gives, by viem', () => {
    fc.assert(
      fc.property(address, address, upTo(256n), (factory, owner, salt) => {
        const initialize = encodeFunctionData({ abi: parseAbi(['function initialize(address)']), args: [owner] });
        const constructorArguments = encodeAbiParameters(
          [{ type: 'address' }, { type: 'bytes' }],
          [getContractAddress({ from: factory, nonce: 1n }), initialize],
        );
        expect(kind.address({ factory, owner, salt })).toBe(
          getCreate2Address({
            from: factory,
            salt: pad(`0x${salt.toString(16)}`, { size: 32 }),
            bytecodeHash: keccak256(concat([proxyCode, constructorArguments])),
          }),
        );
        const createAccount = parseAbi(['function createAccount(address,uint256)']);
        expect(kind.initCode({ factory, owner, salt })).toBe(
          concat([factory, encodeFunctionData({ abi: createAccount, args: [owner, salt] })]),
        );
      }),
      fuzzing(50),
    );
  });
});
