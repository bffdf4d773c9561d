import fc from 'fast-check';

import { toHex } from '../../src/core/eth/bytes';
import { type TypedData, type TypedDataTypes } from '../../src/core/eth/typed-data';

export const hexOf = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex);
const address = hexOf(20);
const bytes = fc.uint8Array({ maxLength: 100 }).map(toHex);

/** A type with a matching value. */
type Typed = { readonly type: string; readonly value: fc.Arbitrary<unknown>; readonly types: TypedDataTypes };

const atomic: fc.Arbitrary<Typed> = fc
  .oneof(
    fc.constantFrom('bool', 'address', 'string', 'bytes'),
    fc.integer({ min: 1, max: 32 }).map((n) => `uint${8 * n}`),
    fc.integer({ min: 1, max: 32 }).map((n) => `int${8 * n}`),
    fc.integer({ min: 1, max: 32 }).map((n) => `bytes${n}`),
  )
  .map((type) => ({ type, value: valueOf(type), types: {} }));

function valueOf(type: string): fc.Arbitrary<unknown> {
  if (type === 'bool') return fc.boolean();
  if (type === 'address') return address;
  if (type === 'string') return fc.string({ unit: 'grapheme', maxLength: 20 });
  if (type === 'bytes') return bytes;
  const size = Number(/[0-9]+$/u.exec(type)?.[0]);
  if (type.startsWith('bytes')) return hexOf(size);
  const signed = type.startsWith('int');
  const bits = BigInt(size) - (signed ? 1n : 0n);
  return fc.bigInt({ min: signed ? -(1n << bits) : 0n, max: (1n << bits) - 1n }).map(String);
}

const arrayOf = (inner: Typed, length: number | undefined): Typed => ({
  type: `${inner.type}[${length ?? ''}]`,
  value: fc.array(inner.value, length === undefined ? { maxLength: 3 } : { minLength: length, maxLength: length }),
  types: inner.types,
});

let structs = 0;
function structOf(members: readonly Typed[]): Typed {
  const name = `Struct${structs++}`;
  return {
    type: name,
    value: fc.record(Object.fromEntries(members.map(({ value }, index) => [`m${index}`, value]))),
    types: Object.assign(
      { [name]: members.map(({ type }, index) => ({ name: `m${index}`, type })) },
      ...members.map(({ types }) => types),
    ) as TypedDataTypes,
  };
}

const { type: anyType } = fc.letrec<{ type: Typed; struct: Typed; array: Typed }>((tie) => ({
  type: fc.oneof({ maxDepth: 3, withCrossShrink: true }, atomic, tie('array'), tie('struct')),
  array: fc
    .tuple(tie('type'), fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }))
    .map(([inner, length]) => arrayOf(inner, length)),
  struct: fc.array(tie('type'), { minLength: 1, maxLength: 4 }).map(structOf),
}));

const DOMAIN_TYPES: Record<string, string> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
};
const domain = fc
  .record(
    { name: fc.string(), version: fc.string(), chainId: fc.nat(), verifyingContract: address, salt: hexOf(32) },
    { requiredKeys: [] },
  )
  .map((values) => ({
    values,
    members: Object.keys(DOMAIN_TYPES)
      .filter((name) => name in values)
      .map((name) => ({ name, type: DOMAIN_TYPES[name] as string })),
  }));

/** Valid typed data of any shape. */
export const anyTypedData: fc.Arbitrary<TypedData> = fc
  .array(anyType, { minLength: 1, maxLength: 4 })
  .map(structOf)
  .chain((root) => fc.tuple(fc.constant(root), root.value, domain))
  .map(([root, message, { values, members }]) => ({
    types: { EIP712Domain: members, ...root.types },
    primaryType: root.type,
    domain: values,
    message: message as Record<string, unknown>,
  }));
