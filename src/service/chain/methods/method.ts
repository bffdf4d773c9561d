import type { Network } from '../network';
import { positional } from '../params';

/** A method with its parameters bound, ready to run. Returns the result or a promise of it. */
export type Bound = (network: Network) => unknown;

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
  run: (network: Network, ...values: Values) => unknown,
): Method {
  return {
    name,
    bind(params) {
      const values = positional<Values>(params, readers);
      return (network) => run(network, ...values);
    },
  };
}
