import {
  chainIdOf,
  counted,
  formatAmount,
  hexChainOf,
  numberOf,
  parseAmount,
  plainAmount,
} from '../../../src/companion/model/units';

const ETHER = 10n ** 18n;

describe('amounts', () => {
  it.each([
    [0n, '0'],
    [1n, '<0.000001'],
    [ETHER, '1'],
    [1_234n * ETHER + ETHER / 2n, '1234.5'],
    [12_345n * ETHER + ETHER / 2n, '12,345.5'],
    // Truncated: an amount is never shown as more than it is.
    [1_999_999_999_999_999_999n, '1.999999'],
    [ETHER + 1n, '1'],
  ])('shows %i wei as %s', (wei, text) => {
    expect(formatAmount(wei)).toBe(text);
  });

  it("uses a token's decimals", () => {
    expect(formatAmount(1_500_000n, 6)).toBe('1.5');
    expect(formatAmount(7n, 0)).toBe('7');
    expect(plainAmount(1_234_500_000n, 6)).toBe('1234.5');
  });

  it.each([
    ['1', ETHER],
    [' 0.5 ', ETHER / 2n],
    ['1.', ETHER],
    ['0.000000000000000001', 1n],
  ])('reads "%s"', (text, wei) => {
    expect(parseAmount(text)).toBe(wei);
  });

  it.each(['', '.5', '-1', '1,5', '1e3', '0x1', '0.0000000000000000001', '1'.repeat(31)])('refuses "%s"', (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  it('refuses more decimals than the token has', () => {
    expect(parseAmount('0.1234567', 6)).toBeUndefined();
    expect(parseAmount('0.123456', 6)).toBe(123_456n);
  });

  it('is what the field takes again', () => {
    expect(parseAmount(plainAmount(123_456_789_000_000_001n))).toBe(123_456_789_000_000_001n);
  });
});

describe('counts and chain ids', () => {
  it('counts with the noun', () => {
    expect([0, 1, 1077].map((count) => counted(count, 'byte'))).toEqual(['0 bytes', '1 byte', '1,077 bytes']);
  });

  it('converts chain ids', () => {
    expect(numberOf('eip155:31337')).toBe(31337n);
    expect(hexChainOf('eip155:31337')).toBe('0x7a69');
    expect(chainIdOf('11155111')).toBe('eip155:11155111');
    expect(chainIdOf('eip155:1')).toBe('eip155:1');
  });
});
