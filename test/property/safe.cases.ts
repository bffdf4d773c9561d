import { AbiCoder, concat, dataLength, Interface, solidityPacked, TypedDataEncoder } from 'ethers';
import fc from 'fast-check';

import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { withDeployment } from '../../src/core/erc4337/erc6492';
import { KINDS } from '../../src/core/kinds';
import { MODULE_4337, MULTI_SEND_CALL_ONLY } from '../../src/core/safe/contracts';
import { type Call } from '../../src/core/erc4337/user-operation';
import { fromHex, type Hex, toHex } from '../../src/core/eth/bytes';
import { expectNoChangeUnderstood } from '../support/changed-call-data';
import { fuzzing } from '../support/fuzz';

const kind = KINDS['safe-0.7'];

const EXECUTE = new Interface(['function executeUserOp(address to, uint256 value, bytes data, uint8 operation)']);
const MULTI_SEND = new Interface(['function multiSend(bytes transactions)']);

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex);
const anyBytes = fc.uint8Array({ maxLength: 200 }).map(toHex);
const quantity = (bits: bigint) => fc.bigInt({ min: 0n, max: (1n << bits) - 1n });
const call: fc.Arbitrary<Call> = fc
  .record({ to: bytes(20), value: quantity(256n), data: anyBytes })
  .filter(({ to }) => BigInt(to) !== 0n);

const execute = (to: Hex, value: bigint, data: string, operation: number): Hex =>
  EXECUTE.encodeFunctionData('executeUserOp', [to, value, data, operation]) as Hex;
const multiSend = (transactions: string): string => MULTI_SEND.encodeFunctionData('multiSend', [transactions]);

const packed = (calls: readonly Call[]): string =>
  concat(
    calls.map(({ to, value, data }) =>
      solidityPacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [0, to, value, dataLength(data), data]),
    ),
  );

describe('the call data of a Safe', () => {
  it('of one call is executeUserOp(), as ethers encodes it', () => {
    fc.assert(
      fc.property(call, (one) => {
        const expected = execute(one.to, one.value, one.data, 0);
        expect(kind.encodeCalls([one])).toBe(expected);
        expect(kind.decodeCalls(expected)).toEqual([one]);
      }),
      fuzzing(100),
    );
  });

  it('of several calls delegates to MultiSendCallOnly, as ethers encodes it', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 2, maxLength: 5 }), (calls) => {
        const expected = execute(MULTI_SEND_CALL_ONLY, 0n, multiSend(packed(calls)), 1);
        expect(kind.encodeCalls(calls)).toBe(expected);
        expect(kind.decodeCalls(expected)).toEqual(calls);
      }),
      fuzzing(100),
    );
  });

  it('is rejected if truncated, extended or changed', () => {
    expectNoChangeUnderstood(kind, fc.array(call, { minLength: 1, maxLength: 4 }), 300);
  });

  it('is rejected if it delegates to another contract, or in a batch', () => {
    const one: Call = { to: `0x${'1'.repeat(40)}`, value: 0n, data: '0x' };
    const delegating = `0x01${packed([one]).slice(4)}`;
    const cases: [Hex, bigint, string, number][] = [
      [`0x${'d'.repeat(40)}`, 0n, multiSend(packed([one, one])), 1],
      [MULTI_SEND_CALL_ONLY, 1n, multiSend(packed([one, one])), 1],
      [MULTI_SEND_CALL_ONLY, 0n, multiSend(concat([packed([one]), delegating])), 1],
      [MULTI_SEND_CALL_ONLY, 0n, multiSend(packed([one])), 1],
      [MULTI_SEND_CALL_ONLY, 0n, multiSend('0x'), 1],
      [MULTI_SEND_CALL_ONLY, 0n, '0x', 1],
      [one.to, 0n, '0x', 2],
    ];
    for (const args of cases) expect(kind.decodeCalls(execute(...args))).toBeUndefined();
  });
});

const SAFE_OP = [
  ['address', 'safe'],
  ['uint256', 'nonce'],
  ['bytes', 'initCode'],
  ['bytes', 'callData'],
  ['uint128', 'verificationGasLimit'],
  ['uint128', 'callGasLimit'],
  ['uint256', 'preVerificationGas'],
  ['uint128', 'maxPriorityFeePerGas'],
  ['uint128', 'maxFeePerGas'],
  ['bytes', 'paymasterAndData'],
  ['uint48', 'validAfter'],
  ['uint48', 'validUntil'],
  ['address', 'entryPoint'],
].map(([type = '', name = '']) => ({ type, name }));

describe('what the owner of a Safe signs', () => {
  const chainIds = fc.bigInt({ min: 1n, max: (1n << 63n) - 37n });
  const operation = fc.record({
    sender: bytes(20),
    nonce: quantity(256n),
    initCode: fc.oneof(fc.constant<Hex>('0x'), bytes(77)),
    callData: anyBytes,
    callGasLimit: quantity(120n),
    verificationGasLimit: quantity(120n),
    preVerificationGas: quantity(120n),
    maxFeePerGas: quantity(120n),
    maxPriorityFeePerGas: quantity(120n),
    paymasterAndData: anyBytes,
    signature: bytes(65),
  });

  it('for an operation is the EIP-712 SafeOp, as ethers hashes it', () => {
    fc.assert(
      fc.property(operation, chainIds, (op, chainId) => {
        const entryPoint = ENTRY_POINTS['0.7'];
        const message = { ...op, safe: op.sender, validAfter: 0, validUntil: 0, entryPoint };
        const domain = { chainId, verifyingContract: MODULE_4337 };
        const expected = TypedDataEncoder.hash(domain, { SafeOp: SAFE_OP }, message);
        const place = { version: '0.7', entryPoint, chainId } as const;
        expect(toHex(kind.signingDigest(new Uint8Array(32), op, place))).toBe(expected);
      }),
      fuzzing(100),
    );
  });

  it('for a message is the EIP-712 SafeMessage, as ethers hashes it', () => {
    fc.assert(
      fc.property(bytes(32), bytes(20), chainIds, (hash, account, chainId) => {
        const types = { SafeMessage: [{ name: 'message', type: 'bytes' }] };
        const expected = TypedDataEncoder.hash({ chainId, verifyingContract: account }, types, { message: hash });
        expect(toHex(kind.messageDigest!(fromHex(hash), account, chainId))).toBe(expected);
      }),
      fuzzing(100),
    );
  });

  it('is wrapped in the format of the module: zero validity times, then the signature', () => {
    const signature = `0x${'7'.repeat(130)}` as const;
    expect(kind.wrapSignature(signature)).toBe(`0x${'00'.repeat(12)}${signature.slice(2)}`);
    expect(dataLength(kind.dummySignature)).toBe(77);
  });
});

describe('a signature before deployment', () => {
  it('has the ERC-6492 wrapper, as ethers encodes it', () => {
    fc.assert(
      fc.property(bytes(20), anyBytes, bytes(65), (factory, data, signature) => {
        const wrapped = AbiCoder.defaultAbiCoder().encode(['address', 'bytes', 'bytes'], [factory, data, signature]);
        const expected = concat([wrapped, `0x${'6492'.repeat(16)}`]);
        expect(withDeployment(signature, concat([factory, data]) as Hex)).toBe(expected);
        expect(withDeployment(signature, '0x')).toBe(signature);
      }),
      fuzzing(100),
    );
  });
});
