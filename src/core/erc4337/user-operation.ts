import { type Hex } from '../eth/bytes';

/**
 * A user operation with the fields of ERC-4337 for entry point 0.6. It stands for later versions too:
 * there the same bytes are only packed differently. Gas in gas, fees in wei per gas.
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
  /** 0x if the account pays itself. From 0.7 on: address, two gas limits of 16 bytes, data. */
  readonly paymasterAndData: Hex;
  /** Not part of the hash. */
  readonly signature: Hex;
};

/** The fields that say how much gas an operation may use for what. */
export const GAS_LIMITS = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const;

/** The fields that are numbers: hex quantities in JSON. */
const QUANTITIES = ['nonce', ...GAS_LIMITS, 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;

/** An operation's numbers, in whatever form. */
export type Quantities<Form> = Readonly<Record<(typeof QUANTITIES)[number], Form>>;
/** Its gas limits. */
export type GasLimits<Form> = Readonly<Record<(typeof GAS_LIMITS)[number], Form>>;

const converted =
  <Name extends string>(names: readonly Name[]) =>
  <From, To>(fields: Readonly<Record<Name, From>>, convert: (quantity: From) => To): Readonly<Record<Name, To>> =>
    Object.fromEntries(names.map((name) => [name, convert(fields[name])])) as Record<Name, To>;

/** @returns The numbers of an operation in another form. */
export const quantitiesOf = converted(QUANTITIES);

/**
 * @returns The fields that every version has, without packed ones. Whatever else an object holds, such as a paymaster of
 * its own, is left out: libraries would hash and send it.
 */
export const commonFieldsOf = (operation: UserOperation) => ({
  ...quantitiesOf(operation, (quantity) => quantity),
  sender: operation.sender,
  callData: operation.callData,
  signature: operation.signature,
});

/** @returns Its gas limits in another form. */
export const gasLimitsOf = converted(GAS_LIMITS);

/** Every entry point reverts above this (AA94), and from 0.7 on packing would cut off what is above 2^128. */
export const MAX_GAS_VALUE = (1n << 120n) - 1n;

/** One call that an account is asked to make. Value in wei. */
export type Call = { readonly to: Hex; readonly value: bigint; readonly data: Hex };

/** A call as it is asked for: without a recipient, the creation of a contract. */
export type Intent = Omit<Call, 'to'> & { readonly to: Hex | null };
