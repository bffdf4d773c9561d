import { InvalidParamsError } from '../../../core/errors';
import { quantityToHex } from '../../../core/eth/bytes';
import { BytesStruct } from '../../../core/structs/hex';
import { tuple } from '../../../core/structs/struct';
import { DecodedCallsStruct } from '../../../core/schemas/user-operation';
import { defineUserOperationMethod } from './define-user-operation-method';

/**
 * `eth_decodeUserOperationCallData` (MetaMask keyring API, EVM methods for ERC-4337): [call data] -> the intents from
 * which `eth_prepareUserOperation` would create it.
 */
export const ethDecodeUserOperationCallData = defineUserOperationMethod({
  name: 'eth_decodeUserOperationCallData',
  paramNames: ['callData'],
  params: tuple([BytesStruct]),
  result: DecodedCallsStruct,
  decode: ([callData]) => callData,
  run: ({ account: { kind } }, callData) => {
    const calls = kind.decodeCalls(callData);
    if (calls === undefined)
      throw new InvalidParamsError(
        'callData',
        `must be call data that eth_prepareUserOperation creates for a ${kind.title}`,
      );
    return Promise.resolve(calls);
  },
  encode: (calls) => calls.map(({ to, value, data }) => ({ to, value: quantityToHex(value), data })),
});
