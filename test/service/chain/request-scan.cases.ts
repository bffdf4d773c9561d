import fc from 'fast-check';

import { MAX_DEPTH, MAX_VALUES, RequestScan, SHORT_REQUEST } from '../../../src/service/chain/request-scan';

const LIMITS = { batchItems: 3, mayBeLong: (method: string) => method === 'eth_call' };

/** Scans a text in pieces of that many bytes; returns the scan, or the message it refused with. */
function scan(text: string, size = Infinity): RequestScan | string {
  const bytes = Buffer.from(text);
  const scanned = new RequestScan(LIMITS);
  try {
    for (let at = 0; at < bytes.length; at += size) scanned.push(bytes.subarray(at, at + size));
    return scanned;
  } catch (error) {
    return (error as Error).message;
  }
}

const lengthsOf = (text: string, size?: number) => {
  const found = scan(text, size);
  return typeof found === 'string' ? found : found.lengths;
};

const request = (method: string, padding: number, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: ['x'.repeat(padding)] });

const TOO_LONG = /at most 1024 bytes long/u;

test('measures each request, however the text is split', () => {
  const items = [request('eth_call', 5000), request('eth_chainId', 10), request('eth_call', 0, '"\\{[,')];
  const batch = ` [ ${items.join(' ,\n')} ] `;
  const expected = items.map((item) => Buffer.byteLength(item));
  for (const size of [1, 2, 7, 1000, Infinity]) expect(lengthsOf(batch, size)).toEqual(expected);
  for (const item of items) expect(lengthsOf(item)).toEqual([Buffer.byteLength(item)]);
});

test('reads any JSON of requests as JSON.parse does', () => {
  const item = fc.record({ method: fc.constant('eth_call'), params: fc.jsonValue({ maxDepth: 5 }), id: fc.string() });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 50 }), (items, size) => {
      const texts = items.map((each) => JSON.stringify(each));
      expect(lengthsOf(`[${texts.join(',')}]`, size)).toEqual(texts.map((text) => Buffer.byteLength(text)));
    }),
  );
});

test.each([
  ['a method that is answered here', request('eth_chainId', SHORT_REQUEST)],
  ['an unknown method', request('eth_x', SHORT_REQUEST)],
  ['no method', JSON.stringify({ params: 'x'.repeat(SHORT_REQUEST) })],
  ['a method that escapes hide', request('eth_chainId', SHORT_REQUEST).replace('method', '\\u006dethod')],
  [
    'a second method that escapes hide',
    `{"method":"eth_call","params":${'"'}${'x'.repeat(SHORT_REQUEST)}","m\\u0065thod":"eth_chainId"}`,
  ],
  ['a method in the parameters', JSON.stringify({ params: [{ method: 'eth_call', data: 'x'.repeat(SHORT_REQUEST) }] })],
  ['a method as a value', JSON.stringify({ id: 'method', x: 'eth_call', params: 'x'.repeat(SHORT_REQUEST) })],
  ['a second method', `{"method":"eth_call","params":"${'x'.repeat(SHORT_REQUEST)}","method":"eth_chainId"}`],
  ['one in a batch', `[${request('eth_call', 0)},${request('eth_chainId', SHORT_REQUEST)}]`],
])('%s: a long request is refused', (_what, text) => {
  expect(lengthsOf(text)).toMatch(TOO_LONG);
  expect(lengthsOf(text, 1)).toMatch(TOO_LONG);
});

const long = (quote: string) => quote + 'x'.repeat(SHORT_REQUEST) + quote;

test.each([
  ['a string', long('"')],
  ['a number', '1'.repeat(SHORT_REQUEST + 2)],
  ['a string in a batch', `[${request('eth_call', 0)},${long('"')}]`],
  ['a number in a batch', `[${'1'.repeat(SHORT_REQUEST + 1)},${request('eth_call', 0)}]`],
  ['a list in a batch', `[[${long('"')}]]`],
  ['a list with a request in a batch', `[[{"method":"eth_call","params":${long('"')}}]]`],
])('%s that is long is refused, since it is no request', (_what, text) => {
  expect(lengthsOf(text)).toMatch(/a request must be an object; anything else is at most 1024 bytes long/u);
  expect(lengthsOf(text, 1)).toMatch(/a request must be an object/u);
  expect(lengthsOf(text.slice(0, -1))).toMatch(/a request must be an object/u);
});

test('what is no request is measured like a request', () => {
  expect(lengthsOf(' [ "abc" , [1, 2],{"method":"eth_call"}]', 1)).toEqual([5, 6, 21]);
  expect(lengthsOf('"abc"')).toEqual([5]);
});

test('a long request is refused before it has ended, once its method is known', () => {
  const scanned = new RequestScan(LIMITS);
  expect(() => {
    scanned.push(Buffer.from(request('eth_chainId', 5000).slice(0, 3000)));
  }).toThrow(TOO_LONG);
});

test('what is no JSON is refused before the rest has arrived', () => {
  for (const wrong of ['{"method":eth,', '[1,,', '{"a":"\n', '{"method":"\\x'])
    for (const size of [1, Infinity]) expect(lengthsOf(wrong, size)).toBe('parse error: the body is not JSON');
});

test('a method that is written with escapes is the one that JSON.parse reads', () => {
  const text = request('eth_call', SHORT_REQUEST).replace('eth_call', String.raw`eth\u005fcall`);
  expect((JSON.parse(text) as { method: string }).method).toBe('eth_call');
  expect(lengthsOf(text, 3)).toEqual([text.length]);
});

test('a batch is refused at its first item too many', () => {
  expect(lengthsOf('[1,2,3]')).toEqual([1, 1, 1]);
  expect(lengthsOf('[1,2,3,4')).toBe('invalid request: batch too large, at most 3 requests');
});

test('bounds are exact', () => {
  const nested = (levels: number) => `{"method":"eth_call","params":${'['.repeat(levels - 1)}`;
  expect(lengthsOf(nested(MAX_DEPTH))).toEqual([]);
  expect(lengthsOf(nested(MAX_DEPTH + 1))).toMatch(/nested more than/u);
  // The request, its two members and the list are values, too.
  const flat = (items: number) => `{"method":"eth_call","params":[0${',0'.repeat(items - 1)}`;
  const inside = MAX_VALUES - 3;
  expect(lengthsOf(flat(inside))).toEqual([]);
  expect(lengthsOf(flat(inside + 1))).toMatch(/more than 20000 values/u);
});
