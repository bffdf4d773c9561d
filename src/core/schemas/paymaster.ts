import { MAX_GAS_VALUE } from '../erc4337/user-operation';
import { type Hex } from '../eth/bytes';
import { AddressStruct, startsWithZeroAddress } from './address';
import { BytesStruct, quantityStruct } from '../structs/hex';
import { boolean, optional, rule, type } from '../structs/struct';

const GasStruct = quantityStruct(MAX_GAS_VALUE, '2^120-1');

/** Real paymaster data has about 100 bytes. The limit exists because prepared operations are stored. */
const MAX_BYTES = 8192;
const PaymasterBytesStruct = rule<Hex>(
  `must be at most ${MAX_BYTES} bytes`,
  (value) => BytesStruct.is(value) && value.length <= 2 + 2 * MAX_BYTES,
);

/** Whether the data is final, so that no second request is needed. */
const common = { isFinal: optional(boolean()) };

/**
 * The paymaster's signature, which entry point 0.9 keeps apart from its data, so that the account's signature does not
 * cover it.
 */
const signature = { paymasterSignature: optional(PaymasterBytesStruct) };

/**
 * Without a paymaster, or with the zero address, the account would pay for an operation that claims to be sponsored.
 */
const PaymasterAndDataStruct = rule<Hex>(
  'must start with the address of a paymaster',
  (value) => PaymasterBytesStruct.is(value) && value.length >= 2 + 2 * 20 && !startsWithZeroAddress(value),
);
const PaymasterStruct = rule<Hex>(
  'must be the address of a paymaster',
  (value) => AddressStruct.is(value) && !startsWithZeroAddress(value),
);

/** The result of a paymaster service for entry point 0.6 (ERC-7677). */
export const PaymasterAnswer06Struct = type({ ...common, paymasterAndData: PaymasterAndDataStruct });

/**
 * The result of `pm_getPaymasterStubData` from entry point 0.7 on, where the gas limit of postOp is required
 * (ERC-7677).
 */
export const PaymasterStub07Struct = type({
  ...common,
  paymaster: PaymasterStruct,
  paymasterData: PaymasterBytesStruct,
  ...signature,
  paymasterVerificationGasLimit: optional(GasStruct),
  paymasterPostOpGasLimit: GasStruct,
});

/** The result of `pm_getPaymasterData` from entry point 0.7 on (ERC-7677). */
export const PaymasterData07Struct = type({
  paymaster: PaymasterStruct,
  paymasterData: PaymasterBytesStruct,
  ...signature,
});
