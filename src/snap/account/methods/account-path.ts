import { type Hex } from '../../../core/eth/bytes';

/**
 * The path to the account in a method's parameters: a position in the list and, optionally, a member of the object
 * there.
 */
export type AccountPath = readonly [position: number, member?: string];

/** The account address in the parameters, and the field that contains it. */
export type NamedAccount = { readonly field: string; readonly address: Hex };

/** @returns The value at the path in parameters that are not validated yet, or undefined. */
export function valueAt([position, member]: AccountPath, params: readonly unknown[]): unknown {
  const value = params[position];
  if (member === undefined) return value;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined;
}

/** @returns The account named by validated parameters. @param names - The names of the parameters. */
export const namedAccount = (path: AccountPath, params: unknown, names: readonly string[]): NamedAccount => ({
  field: [names[path[0]], ...path.slice(1)].join('.'),
  address: valueAt(path, params as readonly unknown[]) as Hex,
});
