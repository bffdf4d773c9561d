import { parseDuration } from '../../../../src/service/storage/api/duration';

/** Like Go's `time.ParseDuration`. */
test.each([
  ['0', 0],
  ['+0', 0],
  ['-0', 0],
  ['5ns', 5e-6],
  ['2us', 2e-3],
  ['2\u00b5s', 2e-3],
  ['2\u03bcs', 2e-3],
  ['30ms', 30],
  ['+1s', 1000],
  ['1.s', 1000],
  ['.5s', 500],
  ['1m30s', 90_000],
  ['+1.5h', 5_400_000],
  // A negative time is over at once.
  ['-1s', 0],
])('%s is %d milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBeCloseTo(milliseconds, 9);
});

test.each([
  '',
  '+',
  '-',
  '1',
  '.',
  '.s',
  's',
  '+-1s',
  '1s+1s',
  ' 1s',
  '1 s',
  '1,5s',
  '1S',
  '1d',
  '0x1s',
  '1..5s',
  '1e3s',
])('%j is invalid', (text) => {
  expect(() => parseDuration(text)).toThrow(`time: invalid duration ${JSON.stringify(text)}`);
});
