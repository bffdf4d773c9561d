import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type AnyStruct, ExactOptionalStruct, Struct } from '@metamask/superstruct';

import { exactOptional, nullable, object, optional, parse, tuple, union } from '../../../../src/core/structs/struct';
import { boolean, number, startingWith, string, type, unknown } from '../../../../src/core/structs/struct';

const SCHEMAS = join(__dirname, '../../../../src/core/schemas');

/** Valid values of the structs without members; the first that fits is used. */
const LEAVES: readonly unknown[] = [
  '0x3535353535353535353535353535353535353535',
  '0x1',
  `0x${'11'.repeat(32)}`,
  `0x${'11'.repeat(64)}1b`,
  `0x${'11'.repeat(256)}`,
  '0x',
  'eip155:1',
  'https://service.example/v3/key',
  'bafkreibm6jg3ux5qumhcn2b3flc3tyu6dmlb4xa7u5bf44yegnrjhc4yeq',
  '2.0.0',
  '0.7',
  'ERC20',
  'text',
  true,
  18,
  1,
  [],
  {},
  ['0x3535353535353535353535353535353535353535'],
];

const mayBeAbsent = (struct: AnyStruct): boolean => ExactOptionalStruct.isExactOptional(struct) || struct.is(undefined);

/** The structs of the members or items of a struct, as far as it says. */
function membersOfStruct({ schema }: AnyStruct): [string, AnyStruct][] {
  const members = typeof schema === 'object' && schema !== null && !(schema instanceof Struct) ? schema : {};
  return Object.entries(members as Record<string, unknown>).filter(
    (entry): entry is [string, AnyStruct] => entry[1] instanceof Struct,
  );
}

/** A value with every member that must be there. */
function sampleOf(struct: AnyStruct): unknown {
  const members = membersOfStruct(struct);
  if (struct.schema instanceof Struct) return [sampleOf(struct.schema as AnyStruct)];
  if (struct.type === 'tuple' || struct.type === 'dynamic') return sampleOfEntries(struct);
  if (members.length === 0) return LEAVES.find((value) => struct.is(value));
  return Object.fromEntries(
    members.filter(([, member]) => !mayBeAbsent(member)).map(([name, member]) => [name, sampleOf(member)]),
  );
}

/** Positions of a parameter list, and members of an object whose struct depends on its type. */
function sampleOfEntries(struct: AnyStruct): unknown {
  const context = { path: [], branch: [] };
  if (struct.type === 'tuple')
    return [...struct.entries([], context)].flatMap(([, , item]) =>
      mayBeAbsent(item as AnyStruct) ? [] : [sampleOf(item as AnyStruct)],
    );
  const entries = [...struct.entries({ type: '0x2' }, context)];
  const members = entries.filter(([, , member]) => !mayBeAbsent(member as AnyStruct));
  return {
    ...Object.fromEntries(members.map(([name, , member]) => [name, sampleOf(member as AnyStruct)])),
    type: '0x2',
    chainId: '0x1',
  };
}

type Path = readonly (string | number)[];

/** The paths to all members that may be left out and for which null has no meaning of its own. */
function optionalPaths(struct: AnyStruct, value: unknown, path: Path = []): Path[] {
  const found: Path[] = [];
  for (const [name, member, memberStruct] of struct.entries(value, { path: [], branch: [] })) {
    const inner = memberStruct as AnyStruct;
    const here = [...path, name as string | number];
    if (mayBeAbsent(inner) && !inner.is(null)) found.push(here);
    if (typeof member === 'object' && member !== null) found.push(...optionalPaths(inner, member, here));
  }
  // The library leaves out the entries of members that are exactly optional and absent.
  for (const [name, member] of membersOfStruct(struct)) {
    const here = [...path, name];
    const isFound = found.some((known) => known.join() === here.join());
    if (!isFound && ExactOptionalStruct.isExactOptional(member) && !member.is(null)) found.push(here);
  }
  return found;
}

function withNull(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return null;
  if (Array.isArray(value)) return Object.assign([...(value as unknown[])], { [name]: withNull(value[+name], rest) });
  const object = value as Record<string, unknown>;
  return { ...object, [name]: withNull(object[name], rest) };
}

const outcome = (struct: AnyStruct, value: unknown): unknown => {
  try {
    return parse(struct, value, 'params') as unknown;
  } catch (error) {
    return (error as Error).message;
  }
};

const exportedStructs = readdirSync(SCHEMAS).flatMap((file) =>
  Object.entries(jest.requireActual<Record<string, unknown>>(join(SCHEMAS, file))).filter(
    (entry): entry is [string, AnyStruct] => entry[1] instanceof Struct,
  ),
);

describe('null for a member that may be left out', () => {
  const cases = exportedStructs.flatMap(([name, struct]) => {
    const sample = sampleOf(struct);
    return optionalPaths(struct, sample).map((path) => ({ name, struct, sample, path, at: path.join('.') }));
  });

  it('is tried in every schema with such members', () => {
    const tried = new Set(cases.map(({ name }) => name));
    expect([...tried].sort()).toEqual(expect.arrayContaining(['AddChainStruct', 'SendCallsStruct', 'SetChainStruct']));
    expect(cases.length).toBeGreaterThan(50);
  });

  it.each(cases)('counts as absent: $name, $at', ({ struct, sample, path }) => {
    const absent = outcome(struct, sample);
    expect(typeof absent).not.toBe('string');
    expect(outcome(struct, withNull(sample, path))).toEqual(absent);
  });
});

describe('null', () => {
  it('keeps a meaning of its own', () => {
    expect(parse(object({ to: optional(nullable(string())) }), { to: null }, 'x')).toEqual({ to: null });
    expect(parse(object({ data: exactOptional(unknown()) }), { data: null }, 'x')).toEqual({ data: null });
  });

  it('is refused where a value is needed, and as an unknown member', () => {
    expect(() => parse(object({ a: string() }), { a: null }, 'x')).toThrow('x.a: must be a string');
    expect(() => parse(object({ a: optional(string()) }), { b: null }, 'x')).toThrow('x.b: is not a known field');
  });

  it('counts as absent in lists, unions and nested objects, and the value sent is not changed', () => {
    const struct = tuple([
      union([number(), object({ a: optional(string()), deep: type({ b: exactOptional(boolean()) }) })]),
      optional(string()),
    ]);
    const sent = [{ a: null, deep: { b: null, other: null } }, null];
    const copy = structuredClone(sent);
    expect(parse(struct, sent, 'x')).toEqual([{ deep: { other: null } }, undefined]);
    expect(sent).toEqual(copy);
    expect(parse(optional(struct), null, 'x')).toBeUndefined();
  });

  it('beyond the parameters of a method is ignored with everything else there', () => {
    expect(parse(startingWith([string()]), ['a', null, { b: null }], 'x')[0]).toBe('a');
    expect(() => parse(tuple([string()]), ['a', null], 'x')).toThrow('x[1]: is not a known field');
    expect(() => parse(startingWith([string()]), [], 'x')).toThrow('x[0]: is missing');
  });
});
