import { type Intent, MAX_GAS_VALUE, quantitiesOf, type UserOperation } from '../erc4337/user-operation';
import { AddressStruct, beginsWithNobody } from './address';
import { BytesStruct, quantityStruct, Uint256Struct } from './hex';
import {
  array,
  exactOptional,
  type Infer,
  nonempty,
  nullable,
  object,
  refine,
  rule,
  type Struct,
  wrong,
} from './struct';
import { type Hex } from '../eth/bytes';
import { ServiceUrlStruct } from './url';

/** The transaction intent of the specification, 2.4. MetaMask leaves `to` out where it means null. */
const IntentStruct = object({ to: exactOptional(nullable(AddressStruct)), value: Uint256Struct, data: BytesStruct });

/** The parameters of `eth_prepareUserOperation`: one or more intents. */
export const IntentsStruct = nonempty(IntentStruct);

/** @returns The intents with their amounts as numbers. */
export const toIntents = (intents: Infer<typeof IntentsStruct>): Intent[] =>
  intents.map(({ to, value, data }) => ({ to: to ?? null, value: BigInt(value), data }));

/** Gas or a fee: the entry points revert above it (AA94). */
const GasStruct = quantityStruct(MAX_GAS_VALUE, '2^120-1');

/** Bytes that begin with an address, or none at all. To entry points, the zero address is no paymaster: the account pays. */
const addressedStruct = (what: string) =>
  rule<Hex>(
    `must be 0x, or bytes that begin with the 20 bytes of ${what}'s address, not the zero address`,
    (value) => BytesStruct.is(value) && (value.length === 2 || (value.length >= 42 && !beginsWithNobody(value))),
  );

/**
 * The user operation of the specification, 2.6, and ERC-4337: the fields of entry point 0.6, which MetaMask
 * uses for every version. Tighter than MetaMask's own struct: whole bytes, and gas that an entry point takes.
 */
export const UserOperationStruct = refine(
  object({
    sender: AddressStruct,
    nonce: Uint256Struct,
    initCode: addressedStruct('a factory'),
    callData: BytesStruct,
    callGasLimit: GasStruct,
    verificationGasLimit: GasStruct,
    preVerificationGas: GasStruct,
    maxFeePerGas: GasStruct,
    maxPriorityFeePerGas: GasStruct,
    paymasterAndData: addressedStruct('a paymaster'),
    signature: BytesStruct,
  }),
  ({ maxFeePerGas, maxPriorityFeePerGas }) =>
    BigInt(maxPriorityFeePerGas) > BigInt(maxFeePerGas)
      ? wrong('must not be above maxFeePerGas', 'maxPriorityFeePerGas')
      : undefined,
);

/** @returns The operation with its quantities as numbers. */
export const toUserOperation = (json: Infer<typeof UserOperationStruct>): UserOperation => ({
  ...json,
  ...quantitiesOf(json, BigInt),
});

/** @param gas - What each of an operation's gas limits must be. */
export const gasLimitsStruct = (gas: Struct<Hex>) =>
  object({ callGasLimit: gas, verificationGasLimit: gas, preVerificationGas: gas });

/** The user operation details of the specification, 2.5. */
export const UserOperationDetailsStruct = object({
  callData: BytesStruct,
  initCode: BytesStruct,
  nonce: Uint256Struct,
  gasLimits: exactOptional(gasLimitsStruct(GasStruct)),
  dummySignature: BytesStruct,
  dummyPaymasterAndData: BytesStruct,
  bundlerUrl: ServiceUrlStruct,
});

/** The partial user operation of the specification, 2.7. Gas limits are fixed when an operation is prepared. */
export const UserOperationPatchStruct = object({ paymasterAndData: BytesStruct });

/** What `eth_decodeUserOperationCallData` answers: intents with a recipient. */
export const DecodedCallsStruct = array(object({ to: AddressStruct, value: Uint256Struct, data: BytesStruct }));
