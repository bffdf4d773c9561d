import { randomBytes } from 'node:crypto';

/** A globally unique name; names sort by creation time (ms since 1970). */
export const uniqueName = (made = Date.now()): string =>
  `${made.toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;

/**
 * Creation time of a name, by the clock of the machine that made it (ms since 1970); undefined if it is not such a
 * name.
 */
export function madeAt(name: string): number | undefined {
  const [, made] = /^([0-9a-z]{9})-[0-9a-f]{12}$/.exec(name) ?? [];
  return made === undefined ? undefined : Number.parseInt(made, 36);
}
