import fc from 'fast-check';
import { type AbiParameter } from 'viem';

import { type Hex } from '../../src/core/eth/bytes';
import { type Field, type Shard } from '../../src/core/decode/descriptors/descriptor';
import { NO_METADATA } from '../../src/core/decode/metadata/contract-metadata';
import { explainAction } from '../../src/core/decode/explain/transaction';
import { type Explanation, type Line, type Section } from '../../src/core/decode/explanation';
import { ME, NOW } from '../support/explaining';
import { anyText, fuzzing } from '../support/fuzz';

const TO: Hex = `0x${'c0'.repeat(20)}`;
const SELECTOR = '0badc0de';
const PLACE = `1:${TO}`;

const names = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'length', '@', '');
const atoms = fc.constantFrom(
  'uint256',
  'int8',
  'bytes',
  'bytes4',
  'string',
  'address',
  'bool',
  'function',
  'bytes33',
  'no',
);
const suffix = fc.constantFrom('', '[]', '[2]', '[0]', '[][]', '[10000][10000]', '[99999]');
const { parameter } = fc.letrec<{ parameter: AbiParameter }>((tie) => ({
  parameter: fc.oneof(
    { depthSize: 'small' },
    fc.record({ name: names, type: fc.tuple(atoms, suffix).map((parts) => parts.join('')) }),
    fc.record({
      name: names,
      type: suffix.map((brackets) => `tuple${brackets}`),
      components: fc.array(tie('parameter'), { maxLength: 3 }),
    }),
  ),
}));

const step = fc.oneof(
  names,
  fc.integer({ min: -3, max: 3 }),
  fc.constant([] as const),
  fc.tuple(fc.option(fc.integer({ min: -40, max: 40 })), fc.option(fc.integer({ min: -40, max: 40 }))),
);
const path = fc.array(step, { minLength: 1, maxLength: 4 });
const words = anyText(300);
const target = fc.oneof(path, fc.constant(TO), fc.constant(undefined));

const field = fc.oneof(
  fc.record({ label: words, path, as: fc.constantFrom('raw', 'amount', 'address', 'date', 'block', 'duration') }),
  fc.record({ label: words, value: words, as: fc.constant('literal') }),
  fc.record({
    label: words,
    path,
    as: fc.constant('token'),
    token: target,
    threshold: fc.constant('1'),
    message: words,
  }),
  fc.record({ label: words, path, as: fc.constant('nft'), collection: target }),
  fc.record({ label: words, path, as: fc.constant('unit'), base: words, decimals: fc.integer({ min: 0, max: 80 }) }),
  fc.record({ label: words, path, as: fc.constant('enum'), names: fc.dictionary(names, words) }),
  fc.record({
    label: words,
    path,
    as: fc.constant('call'),
    callee: target,
    selector: target,
    amount: fc.option(path, { nil: undefined }),
  }),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Field>;

const descriptor = fc.record({
  at: fc.constant(0),
  owner: words,
  intent: words,
  inputs: fc.array(parameter, { maxLength: 4 }),
  fields: fc.array(field, { maxLength: 6 }),
  hidden: fc.nat(5),
});

/** ABI words: small numbers, like offsets and lengths, or random bytes. */
const word = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map((number) => (32 * number).toString(16).padStart(64, '0')),
  fc.integer({ min: 0, max: 3 }).map((number) => number.toString(16).padStart(64, '0')),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
);
const data = fc.array(word, { maxLength: 24 }).map((parts): Hex => `0x${SELECTOR}${parts.join('')}`);

function shardOf(call: Shard['calls'][string][number]): Shard {
  return { contracts: [[PLACE]], calls: { [SELECTOR]: [call] }, messages: {}, guesses: {} };
}

const linesOf = ({ lines, sections }: Pick<Section, 'lines' | 'sections'>): Line[] => [
  ...lines,
  ...sections.flatMap(linesOf),
];

const explain = (shard: Shard, callData: Hex): Explanation =>
  explainAction(
    { to: TO, value: 7n, data: callData, chainId: 1n },
    { signer: ME, now: NOW, contractMetadata: { ...NO_METADATA, shards: { '0': shard }, tokens: {} } },
  );

describe('any descriptor on any data', () => {
  it('gives a bounded number of lines, never throws, and always shows target and value', () => {
    fc.assert(
      fc.property(descriptor, data, (call, callData) => {
        const told = explain(shardOf(call), callData);
        expect(told.lines.slice(0, 2)).toEqual([
          { kind: 'address', label: 'To', value: TO },
          { kind: 'text', label: 'Value', value: expect.stringContaining('0.000000000000000007') as string },
        ]);
        const lines = linesOf(told);
        expect(lines.length).toBeLessThan(400);
        for (const { value } of lines) expect(value.length).toBeLessThan(6000);
      }),
      fuzzing(3000),
    );
  });

  it.each<[string, AbiParameter[], Hex]>([
    [
      'nested lists that point at themselves',
      [{ name: 'a', type: 'bytes[][][][][][][][][]' }],
      `0x${SELECTOR}${'20'.padStart(64, '0')}${`${'64'.padStart(64, '0')}${'0'.repeat(64).repeat(100)}`}`,
    ],
    [
      'a list of empty tuples',
      [{ name: 'a', type: 'tuple[][]', components: [] }],
      `0x${SELECTOR}${'20'.padStart(64, '0').repeat(4000)}`,
    ],
    ['the same megabyte of text many times', [{ name: 'a', type: 'string[]' }], manyTexts()],
    ['types nested fifty deep', [nested(50)], `0x${SELECTOR}${'00'.repeat(3200)}`],
  ])('%s: bounded work', (_name, inputs, callData) => {
    const fields: Field[] = [{ label: 'A', path: ['a', []], as: 'raw' }];
    const call = { at: 0, owner: 'x', intent: 'x', inputs, fields, hidden: 0 };
    const told = explain(shardOf(call), callData);
    expect(linesOf(told).length).toBeLessThan(100);
  });
});

/** A list of a thousand texts that all point at the same megabyte. */
function manyTexts(): Hex {
  const count = 1000;
  const at = (32 * count).toString(16).padStart(64, '0');
  const length = 1_000_000;
  const head = '20'.padStart(64, '0') + count.toString(16).padStart(64, '0') + at.repeat(count);
  return `0x${SELECTOR}${head}${length.toString(16).padStart(64, '0')}${'41'.repeat(length)}`;
}

function nested(depth: number): AbiParameter {
  return depth === 0 ? { name: 'a', type: 'uint256' } : { name: 'a', type: 'tuple', components: [nested(depth - 1)] };
}
