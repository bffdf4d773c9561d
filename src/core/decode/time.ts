const DAY = 86_400n;
/** A permission that lasts for more than ten years counts as one without an end. */
const NEVER_AFTER = 3653n * DAY;
/** 9999-12-31T23:59:59Z. Later years have more than four digits. */
const LAST_FOUR_DIGIT_YEAR = 253_402_300_799n;

const two = (part: bigint | number): string => part.toString().padStart(2, '0');

/** @returns Whether a permission with this end counts as one without an end. */
export const isNever = (end: bigint, now: bigint): boolean => end > now + NEVER_AFTER;

/**
 * Days since 1970-01-01 of a date in the Gregorian calendar.
 *
 * Years are counted from March, so that the leap day comes last. There are 719468 days between 0000-03-01 and 1970-01-01.
 */
function daysOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

/** The inverse of `daysOf`: a date from days since 1970-01-01. */
function dateOf(days: number): string {
  // Start from the latest possible year and its last month, and step back.
  let year = 1971 + Math.floor(days / 365.2425);
  while (daysOf(year, 1, 1) > days) year--;
  let month = 12;
  while (daysOf(year, month, 1) > days) month--;
  return `${year}-${two(month)}-${two(days - daysOf(year, month, 1) + 1)}`;
}

/** A time in words: "2026-01-31 23:59:59 UTC". @param seconds - Since 1970, not negative. */
export function utcTime(seconds: bigint): string {
  if (seconds > LAST_FOUR_DIGIT_YEAR) return 'never';
  const rest = seconds % DAY;
  return `${dateOf(Number(seconds / DAY))} ${two(rest / 3600n)}:${two((rest / 60n) % 60n)}:${two(rest % 60n)} UTC`;
}

/** RFC 3339, section 5.6: "T" and "Z" may be in lower case. */
const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)t(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/iu;

/** @returns Seconds since 1970 of an RFC 3339 date-time, without fractions; undefined if it is malformed. */
export function parseTime(written: string): bigint | undefined {
  const parts = RFC_3339.exec(written);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [sign, offsetHour, offsetMinute] = [parts[7], Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  if (month < 1 || month > 12 || day < 1) return undefined;
  const monthLength = month === 12 ? 31 : daysOf(year, month + 1, 1) - daysOf(year, month, 1);
  if (day > monthLength || hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59)
    return undefined;
  const local = daysOf(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  const offset = (offsetHour * 60 + offsetMinute) * 60;
  return BigInt(sign === '-' ? local + offset : local - offset);
}
