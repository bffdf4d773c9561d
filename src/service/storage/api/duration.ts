import { RequestError } from '../errors';

const UNITS: Partial<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  // Both Unicode characters for micro.
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/**
 * Parses a Go duration such as `1m30s` or `+1.5h` into milliseconds; a negative one becomes 0.
 *
 * @throws RequestError 400 for anything else.
 */
export function parseDuration(text: string): number {
  const size = text.replace(/^[+-]/, '');
  const pieces = [...size.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/gy)];
  const matched = pieces.reduce((sum, [piece]) => sum + piece.length, 0);
  if (size === '0') return 0;
  if (pieces.length === 0 || matched !== size.length) {
    throw new RequestError(400, `time: invalid duration ${JSON.stringify(text)}`);
  }
  if (text.startsWith('-')) return 0;
  return pieces.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
}
