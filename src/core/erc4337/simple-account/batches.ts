import { encodeFunctionData } from 'viem/utils';

import { address, array, bytes, type AbiType, decode, tuple, uint256, UNBOUNDED, type ValuesOf } from '../../eth/abi';
import { type Hex } from '../../eth/bytes';
import { InvalidIntentError } from '../invalid-intent';
import { type Call } from '../user-operation';
import { EXECUTE_BATCH_06_ABI, EXECUTE_BATCH_07_ABI, EXECUTE_BATCH_08_ABI } from './contracts';

/**
 * A call decoded from call data. `data` is a substring of the call data's hex digits, without 0x.
 *
 * @example
 * ```ts
 * const view: CallView = toView(['0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 10n ** 18n, 'd0e30db0']);
 * view.data; // => 'd0e30db0'
 * ```
 */
export type CallView = { readonly to: Hex; readonly value: bigint; readonly data: string };

/**
 * How a version of SimpleAccount encodes several calls in one batch.
 *
 * @example
 * ```ts
 * const batch: Batch = BATCH_07;
 * const call = { to: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', value: 10n ** 18n, data: '0xd0e30db0' } as const;
 * batch.decode(batch.encode([call]).slice(10)); // => [{ ...call, data: 'd0e30db0' }]
 * ```
 */
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

/**
 * A batch with the types of the function's parameters.
 *
 * @example
 * ```ts
 * const { types }: BatchOf<typeof BATCH_06.types> = BATCH_06;
 * types.map(({ name }) => name); // => ['address[]', 'bytes[]']
 * ```
 */
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

/**
 * The parameters of one call.
 *
 * @example
 * ```ts
 * import { signatureOf } from '../../eth/abi';
 * signatureOf('execute', CALL_TYPES); // => 'execute(address,uint256,bytes)'
 * ```
 */
export const CALL_TYPES = [address, uint256, bytes] as const;
/**
 * @example
 * ```ts
 * const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
 * toView([to, 10n ** 18n, 'cafe']); // => { to, value: 10n ** 18n, data: 'cafe' }
 * ```
 */
export const toView = ([to, value, data]: ValuesOf<typeof CALL_TYPES>): CallView => ({ to, value, data });
/**
 * A list of calls, as in SimpleAccount 0.8 and in ERC-7579 accounts.
 *
 * @example
 * ```ts
 * CALLS_TYPE.name; // => '(address,uint256,bytes)[]'
 * ```
 */
export const CALLS_TYPE = array(tuple(...CALL_TYPES));

/**
 * 0.6: `executeBatch(address[],bytes[])`. It cannot send value.
 *
 * @example
 * ```ts
 * const call = { to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: 0n, data: '0xcafe' } as const;
 * const callData = BATCH_06.encode([call, call]);
 * callData.slice(0, 10) === BATCH_06.selector; // => true
 * BATCH_06.decode(callData.slice(10)); // => [{ ...call, data: 'cafe' }, { ...call, data: 'cafe' }]
 * BATCH_06.encode([call, { ...call, value: 1n }]); // throws intents[1].value:
 * ```
 */
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

/**
 * 0.7: `executeBatch(address[],uint256[],bytes[])`. The contract treats an empty list of values as all zeros.
 *
 * @example
 * ```ts
 * const call = { to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: 10n ** 18n, data: '0xcafe' } as const;
 * const callData = BATCH_07.encode([call, call]);
 * callData.slice(0, 10) === BATCH_07.selector; // => true
 * BATCH_07.decode(callData.slice(10)); // => [{ ...call, data: 'cafe' }, { ...call, data: 'cafe' }]
 * ```
 */
export const BATCH_07 = batch(
  '0x47e1da2a',
  [array(address), array(uint256), array(bytes)],
  ([to, value, data]) => zipped(to, value.length === 0 ? to.map(() => 0n) : value, data),
  (calls) => encodeFunctionData({ abi: EXECUTE_BATCH_07_ABI, args: [addresses(calls), values(calls), datas(calls)] }),
);

/**
 * 0.8: `executeBatch((address target,uint256 value,bytes data)[])`.
 *
 * @example
 * ```ts
 * const call = { to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: 10n ** 18n, data: '0xcafe' } as const;
 * const callData = BATCH_08.encode([call, call]);
 * callData.slice(0, 10) === BATCH_08.selector; // => true
 * BATCH_08.decode(callData.slice(10)); // => [{ ...call, data: 'cafe' }, { ...call, data: 'cafe' }]
 * ```
 */
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
