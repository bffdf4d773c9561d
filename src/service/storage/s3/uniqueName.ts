import { randomBytes } from 'node:crypto';

/** A name that nobody else makes; names sort by when they were made. */
export const uniqueName = (): string => `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;
