import type { Network } from '../network';
import { positional } from '../params';
import type { AnswerRoom } from '../upstream';

/**
 * A method with its parameters bound, ready to run. Returns the result or a promise of it. The deadline is when the
 * request must be answered, in milliseconds of `performance.now`; a long answer waits for its room in memory.
 */
export type Bound = (network: Network, deadline: number, room: AnswerRoom) => unknown;

/** Where a method gets its result from, and until when. */
export type Source = { network: Network; deadline: number };

/** A method that this service answers itself. */
export type Method = {
  name: string;
  /** @throws {RpcError} -32602 if the parameters are invalid. */
  bind(params: unknown): Bound;
};

/** Reads one positional parameter; throws an RpcError if it is invalid. */
type Reader<Value> = (value: unknown, position: number) => Value;

/**
 * Defines a method.
 *
 * @param name - Name in requests.
 * @param readers - One per positional parameter.
 * @param run - Computes the result.
 * @returns The method.
 */
export function defineMethod<Values extends readonly unknown[]>(
  name: string,
  readers: { [I in keyof Values]: Reader<Values[I]> },
  run: (source: Source, ...values: Values) => unknown,
): Method {
  return {
    name,
    bind(params) {
      const values = positional<Values>(params, readers);
      return (network, deadline) => run({ network, deadline }, ...values);
    },
  };
}
