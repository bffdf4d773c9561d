const DAY = 86_400n;
/** A time so far away stands for "never": a permission that ends in more than ten years. */
const NEVER_AFTER = 3653n * DAY;
/** 9999-12-31T23:59:59Z: later years do not have four digits. */
const LAST_WRITABLE = 253_402_300_799n;

const two = (part: bigint | number): string => part.toString().padStart(2, '0');

/** @returns Whether a permission that ends then is as good as one without an end. */
export const isNever = (end: bigint, now: bigint): boolean => end > now + NEVER_AFTER;

/**
 * Days since 1970-01-01 of a date of the Gregorian calendar.
 *
 * The year is taken to begin in March, so that the leap day is its last; 719468 days lie between the
 * first of March of the year 0 and 1970.
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

/** The date of a day since 1970: the way back. */
function dateOf(days: number): string {
  // Of the year that it may be at the latest, and its last month, as many steps back as are needed.
  let year = 1971 + Math.floor(days / 365.2425);
  while (daysOf(year, 1, 1) > days) year--;
  let month = 12;
  while (daysOf(year, month, 1) > days) month--;
  return `${year}-${two(month)}-${two(days - daysOf(year, month, 1) + 1)}`;
}

/** A time in words: "2026-01-31 23:59:59 UTC". @param seconds - Since 1970, not negative. */
export function utcTime(seconds: bigint): string {
  if (seconds > LAST_WRITABLE) return 'never';
  const rest = seconds % DAY;
  return `${dateOf(Number(seconds / DAY))} ${two(rest / 3600n)}:${two((rest / 60n) % 60n)}:${two(rest % 60n)} UTC`;
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/u;

/** @returns Seconds since 1970 of a date-time of RFC 3339, or undefined if it is none; fractions are cut off. */
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
