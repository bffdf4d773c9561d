import { RequestError } from '../errors';

const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds of a duration such as `1m30s` or `1.5h`, as clients write them.
 *
 * @throws RequestError 400 for anything else.
 */
export function parseDuration(text: string): number {
  if (!/^(?:\d+(?:\.\d+)?(?:[num]?s|[mh]))+$/.test(text)) {
    throw new RequestError(400, `time: invalid duration ${JSON.stringify(text)}`);
  }
  const pieces = [...text.matchAll(/([\d.]+)([a-z]+)/g)];
  return pieces.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}
