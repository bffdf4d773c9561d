import { MAX_GAS_VALUE } from '../erc4337/user-operation';
import { type Hex } from '../eth/bytes';
import { AddressStruct, beginsWithNobody } from './address';
import { BytesStruct, quantityStruct } from './hex';
import { boolean, optional, rule, type } from './struct';

const GasStruct = quantityStruct(MAX_GAS_VALUE, '2^120-1');

/** Real ones have some 100 bytes. What is prepared is stored, so a service cannot make it as long as it likes. */
const MAX_BYTES = 8192;
const PaymasterBytesStruct = rule<Hex>(
  `must be at most ${MAX_BYTES} bytes`,
  (value) => BytesStruct.is(value) && value.length <= 2 + 2 * MAX_BYTES,
);

/** Whether the answer needs no second request. */
const common = { isFinal: optional(boolean()) };

/** With no paymaster, or the zero address, the account itself would pay for what is called sponsored. */
const PaymasterAndDataStruct = rule<Hex>(
  'must begin with the address of a paymaster',
  (value) => PaymasterBytesStruct.is(value) && value.length >= 2 + 2 * 20 && !beginsWithNobody(value),
);
const PaymasterStruct = rule<Hex>(
  'must be the address of a paymaster',
  (value) => AddressStruct.is(value) && !beginsWithNobody(value),
);

/** The answer of a paymaster service for entry point 0.6 (ERC-7677). */
export const PaymasterAnswer06Struct = type({ ...common, paymasterAndData: PaymasterAndDataStruct });

/** The answer of `pm_getPaymasterStubData` from entry point 0.7 on: the gas of postOp must be told (ERC-7677). */
export const PaymasterStub07Struct = type({
  ...common,
  paymaster: PaymasterStruct,
  paymasterData: PaymasterBytesStruct,
  paymasterVerificationGasLimit: optional(GasStruct),
  paymasterPostOpGasLimit: GasStruct,
});

/** The answer of `pm_getPaymasterData` from entry point 0.7 on (ERC-7677). */
export const PaymasterData07Struct = type({ paymaster: PaymasterStruct, paymasterData: PaymasterBytesStruct });
