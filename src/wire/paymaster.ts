import { boolean, optional, type } from '@metamask/superstruct';

import { AddressStruct } from './address';
import { BytesStruct, quantityStruct } from './hex';
import { MAX_GAS_VALUE } from '../erc4337/user-operation';

const GasStruct = quantityStruct(MAX_GAS_VALUE, '2^120-1');

/** Whether the answer needs no second request. */
const common = { isFinal: optional(boolean()) };

/** The answer of a paymaster service for entry point 0.6 (ERC-7677). */
export const PaymasterAnswer06Struct = type({ ...common, paymasterAndData: BytesStruct });

/** The answer of `pm_getPaymasterStubData` from entry point 0.7 on: the gas of postOp must be told (ERC-7677). */
export const PaymasterStub07Struct = type({
  ...common,
  paymaster: AddressStruct,
  paymasterData: BytesStruct,
  paymasterVerificationGasLimit: optional(GasStruct),
  paymasterPostOpGasLimit: GasStruct,
});

/** The answer of `pm_getPaymasterData` from entry point 0.7 on (ERC-7677). */
export const PaymasterData07Struct = type({ paymaster: AddressStruct, paymasterData: BytesStruct });
