import { type SignedAuthorization } from '../eth/authorization';
import { type Hex } from '../eth/bytes';

/**
 * A user operation with the fields of ERC-4337 for entry point 0.6. It also represents later versions, which pack the
 * same data differently. Fees are in wei per gas.
 *
 * @example
 * ```ts
 * const operation: UserOperation = { sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', nonce: 7n, initCode: '0x', callData: '0x',
 *   callGasLimit: 50_000n, verificationGasLimit: 100_000n, preVerificationGas: 50_000n, maxFeePerGas: 10n ** 9n,
 *   maxPriorityFeePerGas: 10n ** 9n, paymasterAndData: '0x', signature: '0x' };
 * ```
 */
export type UserOperation = {
  readonly sender: Hex;
  /** 192 bits of key, 64 bits of sequence number. */
  readonly nonce: bigint;
  /** Factory address and call data, or 0x if the account is deployed. */
  readonly initCode: Hex;
  readonly callData: Hex;
  readonly callGasLimit: bigint;
  readonly verificationGasLimit: bigint;
  readonly preVerificationGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** 0x if the account pays its own fees. From 0.7 on: paymaster address, two 16-byte gas limits, data. */
  readonly paymasterAndData: Hex;
  /** Not covered by the operation's hash. */
  readonly signature: Hex;
  /**
   * Delegates the sender with this operation (EIP-7702). The operation's hash covers only its address, through
   * `initCode`.
   */
  readonly authorization?: SignedAuthorization;
};

/** The gas limit fields of an operation. */
export const GAS_LIMITS = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const;

/** The numeric fields, which are hex quantities in JSON. */
const QUANTITIES = ['nonce', ...GAS_LIMITS, 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;

/** An operation's numeric fields, represented as `Form`. */
export type Quantities<Form> = Readonly<Record<(typeof QUANTITIES)[number], Form>>;
/** An operation's gas limits, represented as `Form`. */
export type GasLimits<Form> = Readonly<Record<(typeof GAS_LIMITS)[number], Form>>;

const converted =
  <Name extends string>(names: readonly Name[]) =>
  <From, To>(fields: Readonly<Record<Name, From>>, convert: (quantity: From) => To): Readonly<Record<Name, To>> =>
    Object.fromEntries(names.map((name) => [name, convert(fields[name])])) as Record<Name, To>;

/** @returns The numeric fields of an operation, each converted. */
export const quantitiesOf = converted(QUANTITIES);

/**
 * @returns The fields that every version shares, without the packed ones. Unknown properties, such as a separate
 * `paymaster`, are dropped, because libraries would hash and send them.
 */
export const commonFieldsOf = (operation: UserOperation) => ({
  ...quantitiesOf(operation, (quantity) => quantity),
  sender: operation.sender,
  callData: operation.callData,
  signature: operation.signature,
});

/** @returns The gas limits of an operation, each converted. */
export const gasLimitsOf = converted(GAS_LIMITS);

/** Every entry point reverts above this (AA94). From 0.7 on, packing would also truncate values above 2^128. */
export const MAX_GAS_VALUE = (1n << 120n) - 1n;

/** One call for an account to execute. `value` is in wei. */
export type Call = { readonly to: Hex; readonly value: bigint; readonly data: Hex };

/** A requested call. If `to` is null, it creates a contract. */
export type Intent = Omit<Call, 'to'> & { readonly to: Hex | null };

/** @returns An operation without fees, gas and paymaster, for an estimate of its gas. */
export const draftOperation = (
  fields: Pick<UserOperation, 'sender' | 'nonce' | 'initCode' | 'callData' | 'signature'>,
): UserOperation => ({
  ...fields,
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  paymasterAndData: '0x',
});

/** Adds a fifth to an estimate of gas, because estimates are exact only for one block. */
export const withGasMargin = (gas: bigint): bigint => (gas * 6n + 4n) / 5n;
