import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';

import { JsonScan, type Scanned } from '../../../src/service/chain/json-scan';
import { LongAnswerReader, NestingError } from '../../../src/service/chain/long-answer';
import { perRun } from '../../support/nightly';

/** Longer than the blocks in which an answer is read. */
const LONG = 70_000;

/** Scans a text in pieces of that many characters; returns the values that it found, or why it refused. */
function scanned(text: string, size = Infinity, depth = 1): Scanned[] | Error {
  const values: Scanned[] = [];
  const scan = new JsonScan({ depth, longest: Infinity, ended: (value) => values.push(value) });
  try {
    for (let at = 0; at < text.length; at += size) scan.push(text.slice(at, at + size));
    scan.finish();
    return values;
  } catch (error) {
    return error as Error;
  }
}

const isRefused = (text: string, size?: number) => scanned(text, size) instanceof SyntaxError;

/** Reads an answer in pieces of that many bytes, of at most 100 levels. */
async function read(bytes: Buffer, size = 65_536) {
  const reader = new LongAnswerReader(() => Promise.resolve(), 100);
  for (let at = 0; at < bytes.length; at += size) await reader.add(bytes.subarray(at, at + size));
  return reader.finish();
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const PADDING = JSON.stringify('x'.repeat(LONG));
const NUMBERS = JSON.stringify(Array.from({ length: 14_000 }, (_, i) => i));

describe('what is no JSON is refused, wherever it is in a long text', () => {
  const WRONG = [
    ',',
    ',,',
    '1 2',
    '[,1]',
    '[1,]',
    '[1}',
    '{1:2}',
    '{"a"}',
    '{"a" 1}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    '{"a":1:2}',
    '{"a":"b" "c"}',
    '"a" "b"',
    '[1]2',
    'nul',
    'truefalse',
    '01',
    '+1',
    '1.',
    'NaN',
    "'a'",
    '"\t"',
    '"\n"',
    '"\\x41"',
    '"\\u12g4"',
    '"\\',
    '"',
    '[',
    '{',
    '{"a":',
    ']',
    '}',
    '\u00a0 1',
    '\ufeff1',
  ];
  test.each(WRONG)('%j', (wrong) => {
    for (const long of [PADDING, NUMBERS])
      for (const text of [
        `{"a":${wrong},"b":${long}}`,
        `{"a":${long},"b":${wrong}}`,
        `{"a":[${long},${wrong},${long}]}`,
        `{"a":${long}}${wrong}`,
        `${wrong}{"a":${long}}`,
        `{"a":${long},${wrong}${long}}`,
      ])
        for (const size of [1000, 65_536])
          expect([wrong, isRefused(text, size), isJson(text)]).toEqual([wrong, true, false]);
  });

  test('a comma after what opens a list or an object', () => {
    for (const [open, close] of ['[]', '{}'])
      expect(isRefused(`{"a":[${PADDING},${open},${PADDING}${close}]}`, 65_536)).toBe(true);
  });

  test('other bytes than UTF-8, also where a long string is cut, and at the end', async () => {
    for (const wrong of [[0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80], [0xed, 0xa0, 0x80]])
      for (const padding of [0, 1, 2, 3, 4, 65_530, 65_535]) {
        const text = ['{"a":"', 'x'.repeat(LONG + padding), '"}'].map((each) => Buffer.from(each, 'latin1'));
        const bytes = Buffer.concat([text[0]!, text[1]!, Buffer.from(wrong), text[1]!, text[2]!]);
        await expect(read(bytes)).rejects.toThrow(SyntaxError);
      }
    await expect(read(Buffer.from('{"a":1}\xc3', 'latin1'))).rejects.toThrow(SyntaxError);
  });
});

test.each([1, 7, 1000, 32_768, 65_536, Infinity])(
  'JSON in pieces of %d bytes is accepted, whatever is cut',
  async (size) => {
    const text = size < 1000 ? 'é€😀\\n\\u00e9\\\\\\"'.repeat(300) : 'é€😀\\n\\u00e9\\\\\\"'.repeat(20_000);
    const texts = [
      `{"${text}":1}`,
      `{"a":"${text}","b":["${text}",{"${text}":"${text}"}]}`,
      `["${text}"]`,
      `"${text}"`,
    ];
    for (const each of texts) {
      expect(isJson(each)).toBe(true);
      expect(scanned(each, size)).toBeInstanceOf(Array);
      expect((await read(Buffer.from(each), size)) !== undefined).toBe(each.startsWith('{'));
    }
  },
);

/** What JSON.parse makes of the first level, with what the scan has found. */
function byParse(text: string, values: readonly Scanned[]): unknown {
  const own = (value: Scanned) => JSON.parse(text.slice(value.from, value.end)) as unknown;
  const whole = values.at(-1)!;
  const inner = values.slice(0, -1);
  expect(inner.every(({ depth }) => depth === 1)).toBe(true);
  if (whole.kind === 'other') return own(whole);
  expect(inner.map(({ index }) => index)).toEqual(inner.map((_, i) => i));
  return whole.kind === 'list' ? inner.map(own) : Object.fromEntries(inner.map((each) => [each.name, own(each)]));
}

/** Levels of lists and objects, also in members that a later one of the same name replaces. */
const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;

const inserted = [
  '',
  ...[',', '"', '\\', '[', ']', '{', '}', ':', ' ', '1', '-', '.', 'e', '0', 'u', '\t', '\u0000', '\u007f', '\ufeff'],
  ...['\\ud800', '\\u12', '\ud83d', '"a":1,', 'null', '\u2028', '\u00a0'],
];

/** Any character, or half of one: fast-check’s unit `binary` has no halves, and first makes a map of all others. */
const anyCharacter = fc.nat(0x10_ff_ff).map(
  (code) => String.fromCodePoint(code),
  (character) => String(character).codePointAt(0) ?? 0,
);

test('accepts and refuses what JSON.parse does, and finds the same values, however the text is cut', () => {
  const mutated = fc.tuple(fc.json({ maxDepth: 6 }), fc.nat(), fc.constantFrom(...inserted)).map(([json, at, more]) => {
    const cut = at % (json.length + 1);
    return json.slice(0, cut) + more + json.slice(more === '' ? cut + 1 : cut);
  });
  fc.assert(
    fc.property(
      fc.oneof(fc.json({ maxDepth: 6 }), fc.json({ maxDepth: 6, stringUnit: anyCharacter }), mutated),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (json, size, isLong) => {
        const text = isLong ? `{"padding":${PADDING},"value":${json},"numbers":${NUMBERS}}` : json;
        const values = scanned(text, isLong ? size * 1000 : size);
        expect([text.slice(-200), values instanceof Array]).toEqual([text.slice(-200), isJson(text)]);
        if (values instanceof Error) return;
        const parsed = JSON.parse(text) as unknown;
        // Matchers take much longer for the numbers.
        expect([text.slice(-200), isDeepStrictEqual(byParse(text, values), parsed)]).toEqual([text.slice(-200), true]);
        expect(values.at(-1)!.levels).toBeGreaterThanOrEqual(levelsOf(parsed));
      },
    ),
    { numRuns: perRun(300, 20_000) },
  );
});

test.each([
  ['-0', '1E+2', '0.5e-7', '-1.0', '1e400', '9'.repeat(400)],
  ['true', 'false', 'null', '"\\ud800"', '"\ud800"', '"\u007f\u2028\u2029"', '""', '[]', '{}', ' [ ] ', '\t{\r\n}'],
  ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"__proto__":1,"":2}', `{"${'n'.repeat(5000)}":1}`],
  ['[1,2,]', '-', '-a', '.5', '5.', '00', '1e', '1e+', 'tru', 'truE', 'nullnull', '"\u001f"', '"\\"', '"\\u00g0"'],
  ['{"a":1,}', '{a:1}', '{"a"}', '[1}', '{"a":1]', ']', '', ' ', '1 2', '\ufeff1', '\u00a01', '//', '[1]//', "'a'"],
])('%s and the like are read as JSON.parse reads them', (...texts) => {
  for (const text of texts)
    for (const size of [1, 2, Infinity]) {
      const values = scanned(text, size);
      expect([text, values instanceof Array]).toEqual([text, isJson(text)]);
      if (values instanceof Array) expect(byParse(text, values)).toEqual(JSON.parse(text));
    }
});

test('levels are those of the deepest value, also of one that a duplicate replaces', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const levels = (text: string) => (scanned(text, 3) as Scanned[]).map((value) => value.levels);
  expect(levels(`{"a":${deep(40)},"a":1,"b":{"c":${deep(5)},"d":[]}}`)).toEqual([40, 0, 6, 41]);
  expect(levels('1')).toEqual([0]);
});

test('text of half a million levels is scanned without recursion', () => {
  expect(isRefused('['.repeat(500_000))).toBe(true);
  expect((scanned('['.repeat(500_000) + ']'.repeat(500_000)) as Scanned[]).at(-1)).toMatchObject({ levels: 500_000 });
});

test('finds the members, of duplicates the last, and those of the error', async () => {
  const members = async (text: string, size: number) => {
    const answer = (await read(Buffer.from(text), size))!;
    const names = ['id', 'result', 'error', 'error.code', 'error.message', 'error.data'] as const;
    return Object.fromEntries(names.flatMap((name) => (answer.has(name) ? [[name, answer.pieces(name).text]] : [])));
  };
  const text = ` { "id" : 1 , "result":[1,{"id":2}],"error":{"code":5,"\\u0063ode":6,"data":{"code":7}} , "id": 3.0 }`;
  for (const size of [1, 5, Infinity]) {
    expect(await members(text, size)).toEqual({
      id: '3.0',
      result: '[1,{"id":2}]',
      error: '{"code":5,"\\u0063ode":6,"data":{"code":7}}',
      'error.code': '6',
      'error.data': '{"code":7}',
    });
  }
  expect(await members('{"error":{"code":1},"error":[{"code":2}]}', 3)).toEqual({ error: '[{"code":2}]' });
  expect(await members('{"error":{"code":1},"error":null}', 3)).toEqual({ error: 'null' });
  expect(await members('{"result":{"code":1}}', 3)).toEqual({ result: '{"code":1}' });
  expect(await members('{"error":{"code":1},"result":{"code":2,"message":3}}', 3)).toEqual({
    result: '{"code":2,"message":3}',
    error: '{"code":1}',
    'error.code': '1',
  });
});

test('refuses what is nested too deeply before the rest has come', async () => {
  const reader = new LongAnswerReader(() => Promise.resolve(), 100);
  await expect(reader.add(Buffer.from('['.repeat(70_000)))).rejects.toThrow(NestingError);
  await expect(read(Buffer.from('['.repeat(101)))).rejects.toThrow(NestingError);
  expect(await read(Buffer.from('['.repeat(100) + ']'.repeat(100)))).toBeUndefined();
});

test('a long answer is kept in blocks, however small the pieces are, and other work goes on meanwhile', async () => {
  const reader = new LongAnswerReader(nextTurn, 10);
  const result = JSON.stringify(Array.from({ length: 60_000 }, (_, i) => `é${i}`));
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":7,"result":${result},"error":null}`);
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  for (let at = 0; at < bytes.length; at += 3) await reader.add(bytes.subarray(at, at + 3));
  const answer = (await reader.finish())!;
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes.length / 65_536));
  expect([answer.value('id'), answer.value('error'), answer.has('error.code')]).toEqual([7, null, false]);
  const { pieces, text } = answer.pieces('result');
  expect(text).toBe(result);
  expect(pieces.length).toBeLessThanOrEqual(Math.ceil(bytes.length / 65_536));
});
