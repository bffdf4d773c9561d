import { parseDuration } from '../../../../src/service/storage/api/handler';

/** What clients send: whole milliseconds (`kubo-rpc-client`), and what Go's `Duration.String` writes. */
test.each([
  ['0s', 0],
  ['5ns', 5e-6],
  ['2us', 2e-3],
  ['30ms', 30],
  ['1.5s', 1500],
  ['1m30s', 90_000],
  ['1m30.5s', 90_500],
  ['2h0m0s', 7_200_000],
  ['1.5h', 5_400_000],
])('a time limit of %s is %d milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBeCloseTo(milliseconds, 9);
});

test.each([
  '',
  '+',
  '-',
  '0',
  '1',
  '.',
  '.s',
  's',
  '-1s',
  '+1s',
  '1s+1s',
  ' 1s',
  '1 s',
  '1,5s',
  '1S',
  '1d',
  '0x1s',
  '1..5s',
  '1.s',
  '.5s',
  '1e3s',
  '2\u00b5s',
])('a time limit of %j is invalid', (text) => {
  expect(() => parseDuration(text)).toThrow(`time: invalid duration ${JSON.stringify(text)}`);
});

test('a text that never becomes a duration is refused at once', () => {
  expect(() => parseDuration(`${'1'.repeat(100_000)}x`)).toThrow('invalid duration');
});
