import { randomBytes } from 'node:crypto';

/** A globally unique name; names sort by creation time (ms since 1970). */
export const uniqueName = (made = Date.now()): string =>
  `${made.toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;
