import { endSteps, step } from '../../../bench/progress';

/** What is written to a stderr that is a terminal of so many columns, or none. */
function written(columns: number | undefined, say: () => void): string {
  const { isTTY, columns: before } = process.stderr;
  let text = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((piece) => {
    text += String(piece);
    return true;
  });
  Object.assign(process.stderr, { isTTY: columns !== undefined, columns });
  try {
    say();
  } finally {
    Object.assign(process.stderr, { isTTY, columns: before });
    jest.restoreAllMocks();
  }
  return text;
}

const twoSteps = () => {
  step('the first', [0, 2]);
  step('the second, which is longer', [1, 2]);
  endSteps();
  endSteps();
};

test('steps are a line each in a file', () => {
  expect(written(undefined, twoSteps)).toBe('  1 of 2: the first\n  2 of 2: the second, which is longer\n');
});

test('steps take the place of each other on a terminal, in one line of it, and then go', () => {
  const shown = written(24, twoSteps);
  expect(shown.split('\r\u001b[K')).toEqual(['', '  1 of 2: the first', '  2 of 2: the second, w', '']);
});
