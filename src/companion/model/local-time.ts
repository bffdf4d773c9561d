import { LAST_FOUR_DIGIT_YEAR } from '../../core/decode/words/time';

/** A browser that does not know its zone names none. */
const { timeZone = 'UTC' }: { readonly timeZone?: string } = new Intl.DateTimeFormat().resolvedOptions();

const TIME = new Intl.DateTimeFormat(undefined, {
  ...{ day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  ...{ timeZone, timeZoneName: 'short' },
});

/**
 * A time on the reader's clock, with its zone: "29 Nov 2026, 10:35 CET". In UTC if the browser does not know the zone.
 *
 * @param seconds - Since 1970, not negative. A node that lies may say any.
 */
export const localTime = (seconds: bigint | number): string =>
  seconds > LAST_FOUR_DIGIT_YEAR ? 'never' : TIME.format(Number(seconds) * 1000);
