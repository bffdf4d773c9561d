/**
 * @param now - Seconds since 1970.
 * @returns Whether nobody can use a signature any more.
 */
export const isExpired = ({ until }: { readonly until?: number }, now: bigint): boolean =>
  until !== undefined && BigInt(until) < now;
