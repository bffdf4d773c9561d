import { ME, OTHER } from './people';

type Members = Readonly<Record<string, unknown>>;

export const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;
export const domain = { name: 'Ether Mail', version: '1', chainId: 1, verifyingContract: OTHER };

/** Typed data with one member `value` of a type. */
export const typed = (type: string, value: unknown, types: Members = {}): readonly unknown[] => [
  ME,
  {
    types: { EIP712Domain: DOMAIN, Test: [{ name: 'value', type }], ...types },
    primaryType: 'Test',
    domain,
    message: { value },
  },
];

/** Valid typed data: `message.value` is 1. */
export const BASE = typed('uint256', 1)[1] as { readonly types: Members; readonly domain: Members };

/** The same with changed top-level members. */
export const changed = (change: Members): readonly unknown[] => [ME, { ...BASE, ...change }];

/** The same with other types. */
export const withTypes = (types: Members, rest: Members = {}): readonly unknown[] =>
  changed({ types: { ...BASE.types, ...types }, ...rest });

/** The same with another domain and its declaration. */
export const withDomain = (members: unknown, values: unknown): readonly unknown[] =>
  withTypes({ EIP712Domain: members }, { domain: values });
