import { readFileSync } from 'node:fs';

/** Descriptors that the service itself needs: databases, archive, log, connections to nodes, Redis and a bucket. */
const OWN = 128;
/** For files that requests read and write, and folders that are synced. */
const FILES = 128;
/** A listener with fewer connections serves nobody. */
const LEAST = 16;

/**
 * How many files this process may have open: the soft limit, which Node raises to the hard one when it starts.
 *
 * @returns Infinity if the system does not say.
 */
export function descriptorLimit(): number {
  try {
    const [, limit = ''] = /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
    return limit === '' ? Infinity : Number(limit);
  } catch {
    return Infinity;
  }
}

/**
 * Divides the descriptors of the process among its listeners, so that all of them together cannot use up those that the
 * service itself needs.
 *
 * @param wanted - By listener.
 * @param limit - Of the process.
 * @returns For each listener what it wants, or its share if there is not enough for all.
 */
export function divide<Name extends string>(
  wanted: Readonly<Record<Name, number>>,
  limit: number,
): Record<Name, number> {
  // Half of a very low limit.
  let left = Math.max(limit - OWN - FILES, Math.floor(limit / 2));
  const names = (Object.keys(wanted) as Name[]).sort((one, other) => wanted[one] - wanted[other]);
  const shares = {} as Record<Name, number>;
  // The most modest first: what they do not need is left for the others.
  for (const [i, name] of names.entries()) {
    shares[name] = Math.max(LEAST, Math.min(wanted[name], Math.floor(left / (names.length - i))));
    left -= shares[name];
  }
  return shares;
}
