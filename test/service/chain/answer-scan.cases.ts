import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';

import { AnswerScan, NestingError } from '../../../src/service/chain/answer-scan';
import { membersOf } from '../../../src/service/chain/json-text';
import { LongAnswerReader } from '../../../src/service/chain/long-answer';
import { perRun } from '../../support/nightly';

/** Longer than the parts that are checked. */
const LONG = 70_000;

/** Scans bytes in pieces of that many; returns the scan, or why it refused. */
function scanned(bytes: Buffer, size = Infinity, depth = 100): AnswerScan | Error {
  const scan = new AnswerScan(depth);
  try {
    for (let at = 0; at < bytes.length; at += size) scan.push(bytes.subarray(at, at + size));
    scan.finish();
    return scan;
  } catch (error) {
    return error as Error;
  }
}

const isRefused = (text: string | Buffer, size?: number) => scanned(Buffer.from(text), size) instanceof SyntaxError;

/** The members with their texts. */
function membersIn(text: string, size?: number, of: 'members' | 'errorMembers' = 'members'): Record<string, string> {
  const bytes = Buffer.from(text);
  const scan = scanned(bytes, size);
  if (scan instanceof Error) throw scan;
  return Object.fromEntries([...scan[of]].map(([name, { from, end }]) => [name, bytes.toString('utf8', from, end)]));
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

  test('a comma after what opens a list or an object, where a part could end', () => {
    for (const [open, close] of ['[]', '{}'])
      expect(isRefused(`{"a":[${PADDING},${open},${PADDING}${close}]}`, 65_536)).toBe(true);
  });

  test('other bytes than UTF-8, also where a long string is cut', () => {
    for (const wrong of [[0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0x80], [0xed, 0xa0, 0x80]])
      for (const padding of [0, 1, 2, 3, 4, 65_530, 65_535]) {
        const text = ['{"a":"', 'x'.repeat(LONG + padding), '"}'].map((each) => Buffer.from(each, 'latin1'));
        const bytes = Buffer.concat([text[0]!, text[1]!, Buffer.from(wrong), text[1]!, text[2]!]);
        expect(isRefused(bytes, 65_536)).toBe(true);
      }
  });
});

test.each([1, 7, 1000, 32_768, 65_536, Infinity])('JSON in pieces of %d bytes is accepted, whatever is cut', (size) => {
  const text = size < 1000 ? 'é€😀\\n\\u00e9\\\\\\"'.repeat(300) : 'é€😀\\n\\u00e9\\\\\\"'.repeat(20_000);
  const texts = [`{"${text}":1}`, `{"a":"${text}","b":["${text}",{"${text}":"${text}"}]}`, `["${text}"]`, `"${text}"`];
  for (const each of texts) {
    expect(isJson(each)).toBe(true);
    expect(scanned(Buffer.from(each), size)).toBeInstanceOf(AnswerScan);
  }
});

test('accepts and refuses what JSON.parse does, and finds the same members', () => {
  const mutated = fc
    .tuple(fc.json({ maxDepth: 6 }), fc.nat(), fc.constantFrom('', ',', '"', '\\', '[', ']', '{', '}', ':', ' ', '1'))
    .map(([json, at, inserted]) => {
      const cut = at % (json.length + 1);
      return json.slice(0, cut) + inserted + json.slice(inserted === '' ? cut + 1 : cut);
    });
  fc.assert(
    fc.property(
      fc.oneof(fc.json({ maxDepth: 6 }), mutated),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (json, size, isLong) => {
        const text = isLong ? `{"padding":${PADDING},"value":${json},"numbers":${NUMBERS}}` : json;
        const isValid = isJson(text);
        const scan = scanned(Buffer.from(text), isLong ? size * 1000 : size);
        expect([text.slice(-200), scan instanceof AnswerScan]).toEqual([text.slice(-200), isValid]);
        if (!isValid || !(scan instanceof AnswerScan) || !scan.isObject) return;
        // Only short names are noted.
        const short = (members: Iterable<[string, string]>) =>
          new Map([...members].filter(([{ length }]) => length <= 10));
        const expected = [...membersOf(text)].map(([name, part]): [string, string] => [name, part.text]);
        expect(short(Object.entries(membersIn(text)))).toEqual(short(expected));
      },
    ),
    { numRuns: perRun(200, 20_000) },
  );
});

test('finds the members, of duplicates the last, and those of the error', () => {
  const text = ` { "id" : 1 , "result":[1,{"id":2}],"error":{"code":5,"\\u0063ode":6,"data":{"code":7}} , "id": 3.0 }`;
  for (const size of [1, 5, Infinity]) {
    expect(membersIn(text, size)).toEqual({
      id: '3.0',
      result: '[1,{"id":2}]',
      error: '{"code":5,"\\u0063ode":6,"data":{"code":7}}',
    });
    expect(membersIn(text, size, 'errorMembers')).toEqual({ code: '6', data: '{"code":7}' });
  }
  expect(membersIn('{"error":{"code":1},"error":[{"code":2}]}', 3, 'errorMembers')).toEqual({});
  expect(membersIn('{"result":{"code":1}}', 3, 'errorMembers')).toEqual({});
});

test('refuses what is nested too deeply before the rest has come', () => {
  expect(scanned(Buffer.from('['.repeat(101)))).toBeInstanceOf(NestingError);
  expect(scanned(Buffer.from('['.repeat(100) + ']'.repeat(100)))).toBeInstanceOf(AnswerScan);
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
