/** Close codes (RFC 6455, section 7.4.1). */
export const GOING_AWAY = 1001;
export const POLICY_VIOLATION = 1008;
export const TOO_BIG = 1009;
const INTERNAL = 1011;
export const TRY_AGAIN_LATER = 1013;

const CLOSE_CODES = new Map([
  [500, INTERNAL],
  [503, TRY_AGAIN_LATER],
]);

/** @param status - Of the HTTP response that would say the same. */
export const closeCodeOf = (status: number): number => CLOSE_CODES.get(status) ?? POLICY_VIOLATION;
