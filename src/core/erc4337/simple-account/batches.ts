import { encodeFunctionData } from 'viem/utils';

import { address, array, bytes, type AbiType, decode, tuple, uint256, UNBOUNDED, type ValuesOf } from '../../eth/abi';
import { type Hex } from '../../eth/bytes';
import { InvalidIntentError } from '../invalid-intent';
import { type Call } from '../user-operation';
import { EXECUTE_BATCH_06_ABI, EXECUTE_BATCH_07_ABI, EXECUTE_BATCH_08_ABI } from './contracts';

/** A call decoded from call data. `data` is a substring of the call data's hex digits, without 0x. */
export type CallView = { readonly to: Hex; readonly value: bigint; readonly data: string };

/** The encoding of several calls in one batch by a version of SimpleAccount. */
export type Batch = {
  readonly selector: Hex;
  /**
   * @param calls - Lower case.
   * @returns The call data, including the selector.
   * @throws {InvalidIntentError} If this version's batch cannot express the calls.
   */
  readonly encode: (calls: readonly Call[]) => Hex;
  /**
   * @param args - The arguments in lower-case hex, without 0x and without the selector.
   * @returns The calls, or undefined if the arguments are malformed.
   */
  readonly decode: (args: string) => readonly CallView[] | undefined;
};

/** A batch with the types of the function's parameters. */
export type BatchOf<Types extends readonly AbiType<unknown>[]> = Batch & {
  readonly types: Types;
  /** @returns The calls, or undefined if the arrays differ in length. */
  readonly callsOf: (values: ValuesOf<Types>) => readonly CallView[] | undefined;
};

function batch<const Types extends readonly AbiType<unknown>[]>(
  selector: Hex,
  types: Types,
  callsOf: BatchOf<Types>['callsOf'],
  encode: Batch['encode'],
): BatchOf<Types> {
  return {
    selector,
    types,
    callsOf,
    encode,
    decode: (args) => {
      const decoded = decode(types, args, UNBOUNDED);
      return 'misfit' in decoded ? undefined : callsOf(decoded.values);
    },
  };
}

const addresses = (calls: readonly Call[]): Hex[] => calls.map(({ to }) => to);
const values = (calls: readonly Call[]): bigint[] => calls.map(({ value }) => value);
const datas = (calls: readonly Call[]): Hex[] => calls.map(({ data }) => data);

const zipped = (to: readonly Hex[], value: readonly bigint[], data: readonly string[]): CallView[] | undefined =>
  to.length === value.length && to.length === data.length
    ? to.map((target, index) => ({ to: target, value: value[index] ?? 0n, data: data[index] ?? '' }))
    : undefined;

/** The parameters of one call. */
export const CALL_TYPES = [address, uint256, bytes] as const;
export const toView = ([to, value, data]: ValuesOf<typeof CALL_TYPES>): CallView => ({ to, value, data });
/** A list of calls, as in SimpleAccount 0.8 and in ERC-7579 accounts. */
export const CALLS_TYPE = array(tuple(...CALL_TYPES));

/** 0.6: `executeBatch(address[],bytes[])`. It cannot send value. */
export const BATCH_06 = batch(
  '0x18dfb3c7',
  [array(address), array(bytes)],
  ([to, data]) =>
    zipped(
      to,
      to.map(() => 0n),
      data,
    ),
  (calls) => {
    calls.forEach(({ value }, index) => {
      if (value !== 0n)
        throw new InvalidIntentError(
          index,
          'value',
          'must be 0x0: a SimpleAccount 0.6 cannot send value in a batch; send it in a separate operation',
        );
    });
    return encodeFunctionData({ abi: EXECUTE_BATCH_06_ABI, args: [addresses(calls), datas(calls)] });
  },
);

/** 0.7: `executeBatch(address[],uint256[],bytes[])`. The contract treats an empty list of values as all zeros. */
export const BATCH_07 = batch(
  '0x47e1da2a',
  [array(address), array(uint256), array(bytes)],
  ([to, value, data]) => zipped(to, value.length === 0 ? to.map(() => 0n) : value, data),
  (calls) => encodeFunctionData({ abi: EXECUTE_BATCH_07_ABI, args: [addresses(calls), values(calls), datas(calls)] }),
);

/** 0.8: `executeBatch((address target,uint256 value,bytes data)[])`. */
export const BATCH_08 = batch(
  '0x34fcd5be',
  [CALLS_TYPE],
  ([calls]) => calls.map(toView),
  (calls) =>
    encodeFunctionData({
      abi: EXECUTE_BATCH_08_ABI,
      args: [calls.map(({ to, value, data }) => ({ target: to, value, data }))],
    }),
);
