import fc from 'fast-check';
import { type AbiParameter, decodeAbiParameters, encodeAbiParameters } from 'viem';

import { decode, type Misfit } from '../../src/core/eth/abi';
import { type Hex, toHex } from '../../src/core/eth/bytes';
import { abiTypes } from '../../src/core/decode/metadata/abi-json';
import { Text, type Value } from '../../src/core/decode/descriptors/value';
import { hexOf } from '../support/any-typed-data';
import { fuzzing } from '../support/fuzz';

/** Without names, viem decodes structs as lists, and we decode them as records by position. */
type Parameter = { readonly type: string; readonly components?: readonly Parameter[] };

const SIZES = [8, 16, 48, 56, 64, 128, 160, 248, 256];
const ATOMS = [
  'address',
  'bool',
  'string',
  'bytes',
  ...SIZES.flatMap((bits) => [`uint${bits}`, `int${bits}`]),
  ...[1, 4, 20, 31, 32].map((length) => `bytes${length}`),
];
const MAX_DEPTH = 4;
/** With this budget, deep nesting is rejected before viem reaches its own limit on repeated reads. */
const MAX_WORDS = 4_000;

const { parameter: anyParameter } = fc.letrec<{ parameter: Parameter }>((tie) => ({
  parameter: fc.oneof(
    { maxDepth: MAX_DEPTH, depthSize: 'small' },
    fc.constantFrom(...ATOMS).map((type) => ({ type })),
    fc
      .tuple(tie('parameter'), fc.constantFrom('[]', '[1]', '[3]'))
      .map(([parameter, brackets]) => ({ ...parameter, type: `${parameter.type}${brackets}` })),
    fc.array(tie('parameter'), { minLength: 1, maxLength: 3 }).map((components) => ({ type: 'tuple', components })),
  ),
}));

const itemOf = ({ type, ...rest }: Parameter): { item: Parameter; count: string } | undefined => {
  const [, item, count] = /^(.*)\[(\d*)\]$/u.exec(type) ?? [];
  return item === undefined ? undefined : { item: { ...rest, type: item }, count: count ?? '' };
};

/** A value in viem's format. */
function valueOf(parameter: Parameter): fc.Arbitrary<unknown> {
  const { type, components = [] } = parameter;
  const list = itemOf(parameter);
  if (list !== undefined) {
    const length =
      list.count === '' ? { maxLength: 3 } : { minLength: Number(list.count), maxLength: Number(list.count) };
    return fc.array(valueOf(list.item), length);
  }
  if (type === 'tuple') return fc.tuple(...components.map(valueOf));
  if (type === 'address') return hexOf(20);
  if (type === 'bool') return fc.boolean();
  if (type === 'string') return fc.string({ unit: 'grapheme', maxLength: 40 });
  if (type === 'bytes') return fc.uint8Array({ maxLength: 70 }).map(toHex);
  if (type.startsWith('bytes')) return hexOf(Number(type.slice(5)));
  const bits = Number(type.replace(/\D/gu, ''));
  const max = 2n ** BigInt(type.startsWith('u') ? bits : bits - 1) - 1n;
  const value = fc.bigInt({ min: type.startsWith('u') ? 0n : -max - 1n, max });
  return bits <= 48 ? value.map(Number) : value;
}

/** A value from viem in our format: bigint numbers and lower-case addresses. */
function fromViem(parameter: Parameter, value: unknown): unknown {
  const { type, components = [] } = parameter;
  const list = itemOf(parameter);
  if (list !== undefined) return (value as unknown[]).map((item) => fromViem(list.item, item));
  if (type === 'tuple') return components.map((member, index) => fromViem(member, (value as unknown[])[index]));
  if (type === 'address') return (value as string).toLowerCase();
  return typeof value === 'number' ? BigInt(value) : value;
}

/** One of our values, with lists for records. */
function plain(value: Value): unknown {
  if (value instanceof Text) return value.text;
  return typeof value === 'object' ? Object.values(value).map(plain) : value;
}

function ours(parameters: readonly Parameter[], data: Hex): { values: unknown[] } | { misfit: Misfit } {
  const decoded = decode(abiTypes(parameters)!, data.slice(2), { words: MAX_WORDS });
  return 'misfit' in decoded ? decoded : { values: decoded.values.map(plain) };
}

/** Undefined if viem rejects the data. */
function viems(parameters: readonly Parameter[], data: Hex): unknown[] | undefined {
  try {
    const values: readonly unknown[] = decodeAbiParameters(parameters as readonly AbiParameter[], data);
    return parameters.map((parameter, index) => fromViem(parameter, values[index]));
  } catch {
    return undefined;
  }
}

const encodings = fc.array(anyParameter, { minLength: 1, maxLength: 3 }).chain((parameters) =>
  fc.tuple(...parameters.map(valueOf)).map((values) => ({
    parameters,
    values,
    data: encodeAbiParameters(parameters as readonly AbiParameter[], values as never),
  })),
);

const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0');

/** Words that change an offset, a length or a value. */
const newWord = fc.oneof(
  fc.nat({ max: 16 }).map((count) => word(32n * BigInt(count))),
  fc.nat({ max: 20 }).map((count) => word(BigInt(count))),
  fc.constantFrom(-1n, -32n, 2n ** 32n, 2n ** 53n, 2n ** 160n, 2n ** 255n).map(word),
  hexOf(32).map((hex) => hex.slice(2)),
);

const mutations = fc
  .tuple(encodings, fc.array(fc.tuple(fc.nat(), newWord), { minLength: 1, maxLength: 3 }))
  .map(([{ parameters, data }, changes]) => {
    let digits = data.slice(2);
    for (const [pick, changed] of changes) {
      const at = 64 * (pick % (digits.length / 64));
      digits = digits.slice(0, at) + changed + digits.slice(at + 64);
    }
    return { parameters, data: `0x${digits}` as Hex };
  });

/** The same type without bounds, so that every word is a valid value. */
const widened = ({ type, components }: Parameter): Parameter => ({
  type: type.replace(/^(?:address|bool|uint\d+|int\d+)/u, 'uint256').replace(/^bytes\d+/u, 'bytes32'),
  ...(components && { components: components.map(widened) }),
});

const MORE = 'ff'.repeat(32);
const withMore = (data: Hex): Hex => `${data}${MORE}`;

describe('our ABI decoder and viem', () => {
  it('decode the same values from every encoding', () => {
    fc.assert(
      fc.property(encodings, ({ parameters, values, data }) => {
        const expected = parameters.map((parameter, index) => fromViem(parameter, values[index]));
        expect(viems(parameters, data)).toEqual(expected);
        expect(ours(parameters, data)).toEqual({ values: expected });
      }),
      fuzzing(1000),
    );
  });

  it('agree on truncated data', () => {
    fc.assert(
      fc.property(encodings, fc.nat(), ({ parameters, data }, pick) => {
        const cut: Hex = `0x${data.slice(2, 2 + 2 * (pick % (data.length / 2 - 1)))}`;
        // viem reads only four bytes of a `bytes4`. Decoding it as `bytes32` checks for the full word that Solidity
        // requires.
        const isWhole = viems(parameters.map(widened), cut) !== undefined;
        expect(ours(parameters, cut)).toEqual(isWhole ? { values: viems(parameters, cut) } : { misfit: 'mismatch' });
      }),
      fuzzing(1000),
    );
  });

  it('decode the same values from mutated encodings, unless ours rejects bits outside a value or too much work', () => {
    const verdicts = { read: 0, refused: 0, dirty: 0 };
    fc.assert(
      fc.property(mutations, ({ parameters, data }) => {
        const decoded = ours(parameters, data);
        // viem advances to the word after each value and rejects data that ends there, so it gets one more word.
        const values = viems(parameters, withMore(data));
        if ('values' in decoded) {
          expect(values).toEqual(decoded.values);
          // Nothing after the end was read.
          expect(ours(parameters, withMore(data))).toEqual(decoded);
          verdicts.read++;
        } else if (decoded.misfit === 'mismatch' && viems(parameters, data) !== undefined) {
          expect(ours(parameters.map(widened), data)).toHaveProperty('values');
          verdicts.dirty++;
        } else verdicts.refused++;
      }),
      fuzzing(1500),
    );
    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(50);
  });

  // Solidity reverts on these (contract ABI specification, "Strict Encoding Mode"; ABI coder v2).
  it.each([
    ['address', word(1n << 160n)],
    ['uint8', word(256n)],
    ['uint48', word((1n << 48n) + 1n)],
    ['uint160', word(1n << 255n)],
    ['int8', word(128n)],
    ['int64', word(-(2n ** 63n) - 1n)],
    ['bytes1', `ab${'0'.repeat(61)}1`],
    ['bytes20', `${'ab'.repeat(21)}${'00'.repeat(11)}`],
  ])('only ours refuses bits outside of %s', (type, dirty) => {
    expect(viems([{ type }], `0x${dirty}`)).toBeDefined();
    expect(ours([{ type }], `0x${dirty}`)).toEqual({ misfit: 'mismatch' });
  });

  it('both reject a bool with the value two', () => {
    expect(viems([{ type: 'bool' }], `0x${word(2n)}`)).toBeUndefined();
    expect(ours([{ type: 'bool' }], `0x${word(2n)}`)).toEqual({ misfit: 'mismatch' });
  });

  it('both stop if a thousand offsets point at the same bytes', () => {
    const [count, length] = [1000, 4096];
    const data: Hex = `0x${word(32n)}${word(BigInt(count))}${word(BigInt(32 * count)).repeat(count)}${word(BigInt(length))}${'ab'.repeat(length)}`;
    expect(viems([{ type: 'bytes[]' }], data)).toBeUndefined();
    expect(ours([{ type: 'bytes[]' }], data)).toEqual({ misfit: 'too-large' });
  });
});
