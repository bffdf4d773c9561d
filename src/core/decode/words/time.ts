import { counted } from '../../eth/units';

const DAY = 86_400n;
/** A permission that lasts for more than ten years counts as one without an end. */
const NEVER_AFTER = 3653n * DAY;
/** 9999-12-31T23:59:59Z. Later years have more than four digits. */
export const LAST_FOUR_DIGIT_YEAR = 253_402_300_799n;

/** @returns Whether a permission with this end counts as one without an end. */
export const isNever = (end: bigint, now: bigint): boolean => end > now + NEVER_AFTER;

/** Numbers in this range may be times: from 2017 to 2049, in seconds. */
const MIN_TIME = 1_500_000_000n;
const MAX_TIME = 2_500_000_000n;

/** @returns Whether a number could be a time of today, in seconds since 1970. */
export const mayBeTime = (number: bigint): boolean => number >= MIN_TIME && number < MAX_TIME;

/** A time in words: "2026-01-31 23:59:59 UTC". @param seconds - Since 1970, not negative. */
export function utcTime(seconds: bigint): string {
  if (seconds > LAST_FOUR_DIGIT_YEAR) return 'never';
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The end of a permission or signature in words. */
export const endTime = (end: bigint, now: bigint): string => (isNever(end, now) ? 'never' : utcTime(end));

/** A day (UTC) in a sentence: "3 Dec 2026". @param seconds - Since 1970, not negative. */
export const dayWords = (seconds: bigint): string =>
  seconds > LAST_FOUR_DIGIT_YEAR
    ? 'a day that never comes'
    : new Date(Number(seconds) * 1000).toUTCString().slice(5, 16).replace(/^0/u, '');

const PERIODS: readonly (readonly [seconds: bigint, noun: string])[] = [
  [7n * DAY, 'week'],
  [DAY, 'day'],
  [3600n, 'hour'],
  [60n, 'minute'],
  [1n, 'second'],
];

/** A period in words: "every day", "every 30 days". @param seconds - Its length. */
export function periodWords(seconds: bigint): string {
  const [length, noun] = PERIODS.find(([one]) => seconds >= one && seconds % one === 0n) ?? [1n, 'second'];
  const count = seconds / length;
  return count === 1n ? `every ${noun}` : `every ${count} ${noun}s`;
}

/** A length of time in words: "3 days". @param seconds - Positive. */
export function durationWords(seconds: bigint): string {
  const [length, noun] = PERIODS.find(([one]) => one !== 7n * DAY && seconds >= one && seconds % one === 0n) ?? [
    1n,
    'second',
  ];
  return counted(Number(seconds / length), noun);
}

/** RFC 3339, section 5.6: "T" and "Z" may be in lower case. */
const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:)(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/iu;

/** @returns Seconds since 1970 of an RFC 3339 date-time, without fractions; undefined if it is malformed. */
export function parseTime(written: string): bigint | undefined {
  const [, minute, second, sign, offsetHour = '0', offsetMinute = '0'] = RFC_3339.exec(written) ?? [];
  if (minute === undefined || Number(second) > 60 || Number(offsetHour) > 23 || Number(offsetMinute) > 59)
    return undefined;
  const start = `${minute.toUpperCase()}00.000Z`;
  const time = new Date(start);
  // A date such as 30 February becomes one in March.
  if (Number.isNaN(time.getTime()) || time.toISOString() !== start) return undefined;
  const local = BigInt(time.getTime() / 1000) + BigInt(second ?? 0);
  const offset = BigInt((Number(offsetHour) * 60 + Number(offsetMinute)) * 60);
  return sign === '-' ? local + offset : local - offset;
}
