import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { InvalidParamsError } from '../errors';
import { fromHex, type Hex, quantityToHex, toHex } from '../eth/bytes';
import { GAS_LIMITS, type GasLimits, gasLimitsOf, type UserOperation } from './user-operation';

/** The gas limits of a prepared operation, as hex quantities. */
type PreparedGasLimits = GasLimits<Hex>;

/**
 * A prepared operation as it is stored, to be compared with the operation to be signed. Long byte fields are stored as
 * hashes.
 *
 * @example
 * ```ts
 * const draft = { initCode: '0x', callData: '0xb61d27f6', paymasterAndData: '0x' } as const;
 * const operation = { ...draft, sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', nonce: 7n } as const;
 * const stored: PreparedOperation = preparedOperation(
 *   { draft: operation, gasLimits: undefined, paymasterIsFinal: true }, 1n);
 * stored.nonce; // => '0x7'
 * ```
 */
export type PreparedOperation = {
  readonly chainId: string;
  readonly sender: Hex;
  readonly nonce: Hex;
  readonly initCodeHash: Hex;
  readonly callDataHash: Hex;
  /** Absent if the wallet estimates them itself. */
  readonly gasLimits?: PreparedGasLimits;
  /** The stub data, or the final data once the operation has been patched. */
  readonly paymasterAndData: Hex;
  /** Whether the stub data was already final before the patch. */
  readonly paymasterIsFinal: boolean;
};

const hashOf = (bytes: Hex): Hex => toHex(keccak256(fromHex(bytes)));

/** A user operation as it was prepared. */
type Prepared = {
  readonly draft: Pick<UserOperation, 'sender' | 'nonce' | 'initCode' | 'callData' | 'paymasterAndData'>;
  /** Undefined if the wallet estimates them itself. */
  readonly gasLimits: GasLimits<bigint> | undefined;
  /** Whether the paymaster's stub data is final, so that no patch is needed. */
  readonly paymasterIsFinal: boolean;
};

/**
 * @returns The record to store for a prepared operation.
 *
 * @example
 * ```ts
 * const sender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * const draft = { sender, nonce: 7n, initCode: '0x', callData: '0xb61d27f6', paymasterAndData: '0x' } as const;
 * const prepared = preparedOperation({ draft, gasLimits: undefined, paymasterIsFinal: true }, 1n);
 * [prepared.chainId, prepared.sender, prepared.nonce]; // => ['1', sender.toLowerCase(), '0x7']
 * ```
 */
export const preparedOperation = (
  { draft: operation, gasLimits, paymasterIsFinal }: Prepared,
  chainId: bigint,
): PreparedOperation => ({
  chainId: chainId.toString(),
  sender: operation.sender.toLowerCase() as Hex,
  nonce: quantityToHex(operation.nonce),
  initCodeHash: hashOf(operation.initCode),
  callDataHash: hashOf(operation.callData),
  paymasterAndData: operation.paymasterAndData.toLowerCase() as Hex,
  paymasterIsFinal,
  ...(gasLimits !== undefined && { gasLimits: gasLimitsOf(gasLimits, quantityToHex) }),
});

/**
 * @returns Whether an operation has the same sender, chain, nonce, initCode and callData as a prepared one.
 *
 * @example
 * ```ts
 * const op = { sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', nonce: 7n, initCode: '0x', callData: '0xb61d27f6',
 *   callGasLimit: 50_000n, verificationGasLimit: 100_000n, preVerificationGas: 50_000n, maxFeePerGas: 10n ** 9n,
 *   maxPriorityFeePerGas: 10n ** 9n, paymasterAndData: '0x', signature: '0x' } as const;
 * const prepared = preparedOperation({ draft: op, gasLimits: op, paymasterIsFinal: true }, 1n);
 * isOfPrepared({ ...op, maxFeePerGas: 2n * 10n ** 9n }, 1n, prepared); // => true
 * isOfPrepared({ ...op, nonce: 8n }, 1n, prepared); // => false
 * ```
 */
export const isOfPrepared = (operation: UserOperation, chainId: bigint, prepared: PreparedOperation): boolean =>
  prepared.chainId === chainId.toString() &&
  prepared.sender === operation.sender.toLowerCase() &&
  prepared.nonce === quantityToHex(operation.nonce) &&
  prepared.initCodeHash === hashOf(operation.initCode) &&
  prepared.callDataHash === hashOf(operation.callData);

/** The fields that differ from the prepared operation. */
function changedFields(operation: UserOperation, prepared: PreparedOperation): string[] {
  const { gasLimits } = prepared;
  const same: readonly [string, boolean][] = [
    ['nonce', BigInt(prepared.nonce) === operation.nonce],
    ['initCode', prepared.initCodeHash === hashOf(operation.initCode)],
    ['callData', prepared.callDataHash === hashOf(operation.callData)],
    ...GAS_LIMITS.map((field): [string, boolean] => [
      field,
      gasLimits === undefined || BigInt(gasLimits[field]) === operation[field],
    ]),
    ['paymasterAndData', prepared.paymasterAndData === operation.paymasterAndData.toLowerCase()],
  ];
  return same.flatMap(([field, holds]) => (holds ? [] : [field]));
}

/**
 * Compares an operation to be signed with those prepared for the same account and chain.
 *
 * An operation that shares neither its nonce nor its call data with any of them was created elsewhere. Fees are not
 * compared, because the sender sets them after preparation.
 *
 * @param prepared - The operations prepared for the same sender and chain.
 * @returns Whether it was prepared here.
 * @throws {InvalidParamsError} If it was prepared here and changed since; names the field.
 *
 * @example
 * ```ts
 * const op = { sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', nonce: 7n, initCode: '0x', callData: '0xb61d27f6',
 *   callGasLimit: 50_000n, verificationGasLimit: 100_000n, preVerificationGas: 50_000n, maxFeePerGas: 10n ** 9n,
 *   maxPriorityFeePerGas: 10n ** 9n, paymasterAndData: '0x', signature: '0x' } as const;
 * const prepared = preparedOperation({ draft: op, gasLimits: op, paymasterIsFinal: true }, 1n);
 * assertAsPrepared(op, [prepared]); // => true
 * assertAsPrepared({ ...op, callData: '0x' }, [prepared]); // throws userOperation.callData:
 * ```
 */
export function assertAsPrepared(operation: UserOperation, prepared: readonly PreparedOperation[]): boolean {
  const callDataHash = hashOf(operation.callData);
  // Several prepared operations may share a nonce, so report the difference from the closest one.
  const [changed] = prepared
    .filter((entry) => BigInt(entry.nonce) === operation.nonce || entry.callDataHash === callDataHash)
    .map((entry) => changedFields(operation, entry))
    .sort((one, other) => one.length - other.length);
  const field = changed?.[0];
  if (field !== undefined)
    throw new InvalidParamsError(
      `userOperation.${field}`,
      'must not change after the operation was prepared and patched; to change it, prepare the operation again',
    );
  return changed !== undefined;
}
