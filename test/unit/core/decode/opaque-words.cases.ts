import { scanBytes, scanCall, type Scan } from '../../../../src/core/decode/completeness/opaque-words';
import { type Hex } from '../../../../src/core/eth/bytes';

const word = (value: bigint): string => value.toString(16).padStart(64, '0');
/** An address of an ordinary form, and one that somebody computed with zeros in it. */
const [PLAIN, MINED] = ['742d35cc6634c0532925a3b844bc454e4438f44e', '00000000005c0532925a3b00000000004438f44e'];
const SELECTOR = '12345678';

function found(scan: (label: (word: number) => string, found: Scan) => void, known: readonly Hex[] = []): string[] {
  const all: Scan = { values: [], words: 1_000, region: 1, isKnown: (address) => known.includes(address) };
  scan((at) => `word ${at}`, all);
  return all.values.map((one) => {
    if (one.kind === 'address') return `${one.label}: ${one.address}`;
    return one.kind === 'amount' ? `${one.label}: ${one.amount}` : one.kind;
  });
}
const inBytes = (digits: string, known?: readonly Hex[]): string[] =>
  found((label, scan) => scanBytes(digits, label, scan), known);
const inCall = (digits: string, read?: readonly number[]): string[] =>
  found((label, scan) => scanCall(digits, label, read && new Set(read), scan));

describe('data that hides what it moves behind what looks like a length', () => {
  const AMOUNT = 5n << 32n;

  it('shows an amount after a number that is larger than the data, as no length is', () => {
    expect(inCall(`${SELECTOR}${word(1_000_000n)}${word(AMOUNT)}${SELECTOR}`)).toContain(`word 2: ${AMOUNT}`);
  });

  it('shows a number after one that is too small for the length of an address', () => {
    const large = `00345678${'0'.repeat(56)}`;
    expect(inBytes(`${word(4n)}${large}`)).toEqual([`word 2: ${BigInt(`0x${large}`)}`]);
    expect(inBytes(`${word(19n)}${large}`)).toContain(`word 2: ${BigInt(`0x${large}`)}`);
  });

  it('shows the amount where bytes are followed by anything but zeros', () => {
    const inner = `${SELECTOR}${word(AMOUNT)}`;
    const filled = `${word(36n)}${inner}${'0'.repeat(56)}`;
    const unlike = `${word(36n)}${inner}${'0'.repeat(55)}1`;
    expect(inBytes(filled)).toContain(`word 1: ${AMOUNT}`);
    expect(inBytes(unlike)).not.toContain(`word 1: ${AMOUNT}`);
  });
});

describe('addresses in bytes', () => {
  it.each([
    ['that end with the data', `${word(20n)}${MINED}`],
    ['that zeros fill up', `${word(20n)}${MINED}${'0'.repeat(24)}`],
    ['before something else', `${word(20n)}${MINED}${'0'.repeat(24)}${word(1n)}`],
  ])('of 20 bytes are shown: %s', (_what, digits) => {
    expect(inBytes(digits)).toContain(`word 1: 0x${MINED}`);
  });

  it('are not made up of bytes of another length', () => {
    expect(inBytes(`${word(20n)}${MINED}${'0'.repeat(23)}1`)).not.toContain(`word 1: 0x${MINED}`);
    expect(inBytes(`${word(21n)}${MINED}05${'0'.repeat(22)}`)).not.toContain(`word 1: 0x${MINED}`);
  });

  it('of a path of a market are all shown, and none if one of them is no address', () => {
    const path = `${MINED}000bb8${PLAIN}`;
    expect(inBytes(path)).toEqual([`word 1: 0x${MINED}`, `word 1: 0x${PLAIN}`]);
    expect(inBytes(`${word(43n)}${path}${'0'.repeat(42)}`)).toEqual(
      expect.arrayContaining([`word 1: 0x${MINED}`, `word 1: 0x${PLAIN}`]),
    );
    expect(inBytes(`${MINED}000bb8${'0'.repeat(40)}`)).toEqual([]);
    expect(inBytes(`${path}00`)).toEqual([]);
    // Of 21 addresses, no zeros fill the last word.
    const long = `${`${MINED}000bb8`.repeat(20)}${PLAIN}`;
    expect(inBytes(`${word(480n)}${long}`)).toEqual([
      ...Array.from({ length: 20 }, () => `word 1: 0x${MINED}`),
      `word 1: 0x${PLAIN}`,
    ]);
    expect(inBytes(PLAIN)).toEqual([`word 1: 0x${PLAIN}`]);
    expect(inBytes(PLAIN.slice(2))).toEqual([]);
  });
});

describe('numbers in data that nobody can read', () => {
  const padding = word(0n).repeat(200);

  it.each([
    ['smaller than 1,000', word(999n), []],
    ['1,000', word(1_000n), ['word 1: 1000']],
    ['an offset in the data', `${word(6_400n)}${padding}`, ['word 1: 6400']],
    ['as large as the data', `${word(32n * 41n)}${word(0n).repeat(40)}`, []],
    ['larger than the data', `${word(32n * 41n + 1n)}${word(0n).repeat(40)}`, ['word 1: 1313']],
    ['larger than offsets are', `${word(4_097n)}${padding}`, ['word 1: 4097']],
    ['an offset in long data', `${word(4_096n)}${padding}`, []],
  ])('count unless they are lengths or offsets: %s', (_what, digits, numbers) => {
    expect(inBytes(digits)).toEqual(numbers);
  });

  it('are numbered by their words, with and without a selector in front', () => {
    expect(inBytes(`${word(0n)}${word(5_000n)}`)).toEqual(['word 2: 5000']);
    expect(inBytes(`${SELECTOR}${word(0n)}${word(5_000n)}`)).toContain('word 2: 5000');
  });
});

describe('a call', () => {
  const digits = `${SELECTOR}${word(5_000n)}${word(6_000n)}${word(BigInt(`0x${PLAIN}`))}`;

  it('without a rule shows every word', () => {
    expect(inCall(digits)).toEqual(expect.arrayContaining(['word 1: 5000', 'word 2: 6000', `word 3: 0x${PLAIN}`]));
  });

  it('with a rule shows the numbers that the rule does not read, and every address', () => {
    expect(inCall(digits, [0])).toEqual(['word 2: 6000', `word 3: 0x${PLAIN}`]);
    expect(inCall(digits, [64, 128])).toEqual(['word 1: 5000', `word 3: 0x${PLAIN}`]);
  });

  it('shows an address that is four bytes further, but not the zeros of a known one read so', () => {
    const shifted = `${SELECTOR}00000000${word(BigInt(`0x${PLAIN}`))}`;
    expect(inCall(shifted, [])).toContain(`word 1: 0x${PLAIN}`);
  });
});
