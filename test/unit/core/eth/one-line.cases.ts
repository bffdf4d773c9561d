import { oneLine } from '../../../../src/core/eth/one-line';

describe('oneLine', () => {
  it('cuts only text that exceeds the limit', () => {
    expect(oneLine('1234', 5)).toBe('1234');
    expect(oneLine('12345', 5)).toBe('12345');
    expect(oneLine('123456', 5)).toBe('12345…');
  });

  it.each(['\n', '\r\n', '\t', '\0', '\u007f', '\u2028', '\u2029', '\u202e', '\u2066', '\u200b', '\ufeff', '\ud800'])(
    'replaces %j with a space',
    (odd) => {
      expect(oneLine(`a${odd}b${odd}${odd}c`, 20)).toBe('a b c');
    },
  );
});
