import { AbiCoder, keccak256 as ethersKeccak, TypedDataEncoder } from 'ethers';
import fc from 'fast-check';
import { pad } from 'viem';
import { toPackedUserOperation, type UserOperation as ViemUserOperation } from 'viem/account-abstraction';

import { ENTRY_POINTS, type EntryPointVersion } from '../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../src/core/erc4337/hash';
import { joinPaymasterAndData } from '../../src/core/erc4337/packed-fields';
import { fromRpcForm, toRpcForm } from '../../src/core/erc4337/rpc-form';
import { type UserOperation } from '../../src/core/erc4337/user-operation';
import { type Hex, toHex } from '../../src/core/eth/bytes';
import { fuzzing } from '../support/fuzz';
import { hexOf } from '../support/any-typed-data';

const bytes = fc.uint8Array({ maxLength: 120 }).map(toHex);
const address = hexOf(20);
const upTo = (bits: bigint) => fc.bigInt({ min: 0n, max: (1n << bits) - 1n });
const gas = upTo(120n);
const chainId = fc.oneof(
  fc.constantFrom(1n, 10n, 137n, 8453n, 42161n, 31337n, 11155111n),
  upTo(63n).filter((id) => id > 0n),
);

/** Factories never start with the EIP-7702 marker here; that case is tested elsewhere. */
const initCode = fc.oneof(
  fc.constant<Hex>('0x'),
  fc.tuple(address, bytes).map(([factory, data]): Hex => `0xfa${factory.slice(4)}${data.slice(2)}`),
);
const paymasterFields = fc.record({
  paymaster: address,
  paymasterVerificationGasLimit: gas,
  paymasterPostOpGasLimit: gas,
  paymasterData: bytes.map((data): Hex => `${data}00`),
});
const paymaster07 = fc.oneof(fc.constant<Hex>('0x'), paymasterFields.map(joinPaymasterAndData));
const paymaster06 = fc.oneof(
  fc.constant<Hex>('0x'),
  fc.tuple(address, bytes).map(([paymaster, data]): Hex => `${paymaster}${data.slice(2)}`),
);

const operationWith = (paymasterAndData: fc.Arbitrary<Hex>): fc.Arbitrary<UserOperation> =>
  fc.record({
    sender: address,
    nonce: upTo(256n),
    initCode,
    callData: bytes,
    callGasLimit: gas,
    verificationGasLimit: gas,
    preVerificationGas: gas,
    maxFeePerGas: gas,
    maxPriorityFeePerGas: gas,
    paymasterAndData,
    signature: bytes,
  });

const OPERATIONS: readonly (readonly [EntryPointVersion, fc.Arbitrary<UserOperation>])[] = [
  ['0.6', operationWith(paymaster06)],
  ['0.7', operationWith(paymaster07)],
  ['0.8', operationWith(paymaster07)],
  ['0.9', operationWith(paymaster07)],
];

const numbers = (operation: UserOperation) => ({
  nonce: operation.nonce,
  callGasLimit: operation.callGasLimit,
  verificationGasLimit: operation.verificationGasLimit,
  preVerificationGas: operation.preVerificationGas,
  maxFeePerGas: operation.maxFeePerGas,
  maxPriorityFeePerGas: operation.maxPriorityFeePerGas,
});

/** The operation in viem's format, from our RPC form. */
function forViem(operation: UserOperation, version: EntryPointVersion): ViemUserOperation {
  const rpc = toRpcForm(operation, version) as Record<string, unknown>;
  const limits = ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'] as const;
  const numeric = Object.fromEntries(
    limits.filter((name) => name in rpc).map((name) => [name, BigInt(rpc[name] as string)]),
  );
  return { ...rpc, ...numbers(operation), ...numeric } as unknown as ViemUserOperation;
}

const both = (high: bigint, low: bigint): Hex => pad(`0x${((high << 128n) | low).toString(16)}`, { size: 32 });

/** The hash according to ERC-4337, with ethers' ABI coder and typed data encoder. */
function hashByEthers(op: UserOperation, version: EntryPointVersion, entryPoint: Hex, chain: bigint): string {
  const coder = AbiCoder.defaultAbiCoder();
  const gasFields = [
    op.callGasLimit,
    op.verificationGasLimit,
    op.preVerificationGas,
    op.maxFeePerGas,
    op.maxPriorityFeePerGas,
  ];
  const packed = {
    sender: op.sender,
    nonce: op.nonce,
    initCode: op.initCode,
    callData: op.callData,
    accountGasLimits: both(op.verificationGasLimit, op.callGasLimit),
    preVerificationGas: op.preVerificationGas,
    gasFees: both(op.maxPriorityFeePerGas, op.maxFeePerGas),
    paymasterAndData: op.paymasterAndData,
  };
  if (version === '0.8' || version === '0.9') {
    const types = [
      ['address', 'sender'],
      ['uint256', 'nonce'],
      ['bytes', 'initCode'],
      ['bytes', 'callData'],
      ['bytes32', 'accountGasLimits'],
      ['uint256', 'preVerificationGas'],
      ['bytes32', 'gasFees'],
      ['bytes', 'paymasterAndData'],
    ].map(([type, name]) => ({ type: type!, name: name! }));
    const domain = { name: 'ERC4337', version: '1', chainId: chain, verifyingContract: entryPoint };
    return TypedDataEncoder.hash(domain, { PackedUserOperation: types }, packed);
  }
  const hashes = [op.initCode, op.callData].map(ethersKeccak);
  const middle: [string[], unknown[]] =
    version === '0.6'
      ? [Array<string>(5).fill('uint256'), gasFields]
      : [
          ['bytes32', 'uint256', 'bytes32'],
          [packed.accountGasLimits, op.preVerificationGas, packed.gasFees],
        ];
  const inner = coder.encode(
    ['address', 'uint256', 'bytes32', 'bytes32', ...middle[0], 'bytes32'],
    [op.sender, op.nonce, ...hashes, ...middle[1], ethersKeccak(op.paymasterAndData)],
  );
  return ethersKeccak(coder.encode(['bytes32', 'address', 'uint256'], [ethersKeccak(inner), entryPoint, chain]));
}

describe.each(OPERATIONS)('the hash of a user operation at entry point %s', (version, operations) => {
  it('equals that of ethers, on any chain and at any address', () => {
    fc.assert(
      fc.property(
        operations,
        chainId,
        fc.oneof(fc.constant(ENTRY_POINTS[version]), address),
        (operation, chain, entryPoint) => {
          const ours = toHex(userOperationHash(operation, { version, entryPoint, chainId: chain }));
          expect(ours).toBe(hashByEthers(operation, version, entryPoint, chain));
        },
      ),
      fuzzing(150),
    );
  });

  it('is unchanged after a round trip through the RPC form', () => {
    fc.assert(
      fc.property(operations, (operation) => {
        expect(fromRpcForm(toRpcForm(operation, version))).toEqual(operation);
      }),
      fuzzing(100),
    );
  });
});

describe('the packed form from 0.7 on', () => {
  it("equals viem's packing", () => {
    fc.assert(
      fc.property(operationWith(paymaster07), (operation) => {
        const packed = toPackedUserOperation(forViem(operation, '0.7') as ViemUserOperation<'0.7'>);
        expect(packed.initCode).toBe(operation.initCode);
        expect(packed.paymasterAndData).toBe(operation.paymasterAndData);
      }),
      fuzzing(100),
    );
  });

  it("excludes the paymaster's signature from the hash only at 0.9", () => {
    fc.assert(
      fc.property(
        operationWith(fc.constant<Hex>('0x')),
        paymasterFields,
        hexOf(65),
        hexOf(65),
        (operation, fields, one, other) => {
          const hash = (version: EntryPointVersion, paymasterSignature: Hex) =>
            toHex(
              userOperationHash(
                { ...operation, paymasterAndData: joinPaymasterAndData({ ...fields, paymasterSignature }) },
                { version, entryPoint: ENTRY_POINTS[version], chainId: 1n },
              ),
            );
          fc.pre(one !== other);
          expect(hash('0.9', one)).toBe(hash('0.9', other));
          expect(hash('0.8', one)).not.toBe(hash('0.8', other));
          const signed = {
            ...operation,
            paymasterAndData: joinPaymasterAndData({ ...fields, paymasterSignature: one }),
          };
          expect(toRpcForm(signed, '0.9')).toMatchObject({
            paymasterData: fields.paymasterData,
            paymasterSignature: one,
          });
          // The hashed data ends with only the magic.
          const unsigned: Hex = `${joinPaymasterAndData(fields)}22e325a297439656`;
          const hashed = { ...operation, paymasterAndData: unsigned };
          expect(hash('0.9', one)).toBe(hashByEthers(hashed, '0.9', ENTRY_POINTS['0.9'], 1n));
        },
      ),
      fuzzing(50),
    );
  });
});
