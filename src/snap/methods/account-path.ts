import { type Hex } from '../../core/eth/bytes';

/** Where the parameters of a method name the account: a position in the list, and a member of the object there. */
export type AccountPath = readonly [position: number, member?: string];

/** The address in the parameters that must be the account's, and the field that names it. */
export type NamedAccount = { readonly field: string; readonly address: Hex };

/** @returns What stands at the path, in parameters that are not checked yet; undefined if nothing does. */
export function valueAt([position, member]: AccountPath, params: readonly unknown[]): unknown {
  const value = params[position];
  if (member === undefined) return value;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined;
}

/** @returns The account that checked parameters name. @param names - The names of the parameters. */
export const namedAccount = (path: AccountPath, params: unknown, names: readonly string[]): NamedAccount => ({
  field: [names[path[0]], ...path.slice(1)].join('.'),
  address: valueAt(path, params as readonly unknown[]) as Hex,
});
