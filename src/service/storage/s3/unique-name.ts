import { randomBytes } from 'node:crypto';

/** A name that nobody else makes; names sort by when they were made (ms since 1970). */
export const uniqueName = (made = Date.now()): string =>
  `${made.toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;

/** When a name was made, by the clock of the machine that made it (ms since 1970); undefined for no such name. */
export function madeAt(name: string): number | undefined {
  const [, made] = /^([0-9a-z]{9})-[0-9a-f]{12}$/.exec(name) ?? [];
  return made === undefined ? undefined : Number.parseInt(made, 36);
}
