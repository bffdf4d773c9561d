import * as dagJson from '@ipld/dag-json';
import * as fc from 'fast-check';
import { CID } from 'multiformats/cid';
import { WholeFloat } from '../../../../src/service/storage/content/data-model';
import { goEscapes } from '../../../../src/service/storage/content/go-json';
import { dagJsonCodec, jsonCodec } from '../../../../src/service/storage/content/json-codec';
import { anyText, fuzzing } from '../../../support/fuzz';

const LINK = CID.parse('bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy');

/** Any value that the library writes as Kubo does: it takes whole floats for integers, and sorts names by UTF-16. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }).filter((integer) => !Number.isSafeInteger(Number(integer))),
    fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
    anyText(20),
    fc.uint8Array({ maxLength: 20 }),
    fc.constant(LINK),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      anyText(10).filter(
        (name) => name !== '/' && name !== '__proto__' && !/[\ud800-\uffff\u{10000}-\u{10ffff}]/u.test(name),
      ),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
}));

/** Maps in place of objects, as the codecs read them. */
function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || CID.asCID(value) !== null)
    return value;
  return new Map(Object.entries(value).map(([name, each]) => [name, asMaps(each)]));
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('writing JSON', () => {
  test('is what the library of the format writes, for maps and for objects', () => {
    fc.assert(
      fc.property(value, (any) => {
        const expected = goEscapes(textOf(dagJson.encode(any)));
        expect(textOf(dagJsonCodec.encode(asMaps(any)))).toBe(expected);
        expect(textOf(dagJsonCodec.encode(any))).toBe(expected);
      }),
      fuzzing(1500),
    );
  });

  test.each([
    [1, '1.0'],
    [-0, '-0.0'],
    [1e21, '1e+21'],
    [1e300, '1e+300'],
  ])('a float of %d stays one', (float, text) => {
    expect(textOf(dagJsonCodec.encode([new WholeFloat(float)]))).toBe(`[${text}]`);
  });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['a symbol', Symbol('x')],
    ['infinity', new WholeFloat(Infinity)],
    ['not a number', NaN],
    ['a key that is not text', new Map([[1, 1]])],
  ])('refuses %s, wherever it is', (_name, bad) => {
    for (const any of [bad, [bad], new Map([['a', bad]])])
      expect(() => dagJsonCodec.encode(any)).toThrow(/is not supported$|not text$/u);
  });

  test('names are in the order of their bytes', () => {
    const map = new Map(['\u{10000}', '\uffff', 'a', 'B', 'aa'].map((name, index) => [name, index]));
    expect(textOf(dagJsonCodec.encode(map))).toBe('{"B":3,"a":2,"aa":4,"\uffff":1,"\u{10000}":0}');
  });

  test('plain JSON has no links and no bytes, and keeps the order of a map', () => {
    expect(() => jsonCodec.encode([LINK])).toThrow('cannot Marshal ipld links to JSON');
    expect(() => jsonCodec.encode([new Uint8Array(1)])).toThrow('cannot write bytes as JSON');
    const map = new Map([
      ['b', 1],
      ['a', 2],
    ]);
    expect(textOf(jsonCodec.encode(map))).toBe('{\n\t"b": 1,\n\t"a": 2\n}\n');
  });
});
