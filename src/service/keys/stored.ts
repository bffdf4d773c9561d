import {
  array,
  is,
  nullable,
  number,
  object,
  optional,
  pattern,
  size,
  string,
  type Struct,
  type,
} from '@metamask/superstruct';

import { KeysUnavailableError, MAX_FORMER, type OnUnreadable, type StoredKey } from './index';
import { KeyLimitsStruct } from './limits';

const hash = () => pattern(string(), /^[\da-f]{64}$/u);

/** A setting that this build does not know may be a limit: such a key is refused. */
const Settings = object({
  id: optional(hash()),
  limits: optional(KeyLimitsStruct),
  endsAt: optional(number()),
  former: optional(size(array(object({ secretHash: hash(), endsAt: number() })), 1, MAX_FORMER)),
});

const Stored: Struct<StoredKey> = type({
  key: string(),
  secretHash: hash(),
  name: string(),
  dailyCredits: nullable(number()),
  createdAt: number(),
  revokedAt: nullable(number()),
  settings: optional(Settings),
}) as Struct<StoredKey>;

/**
 * @param json - Text from the store.
 * @returns Null, which is nothing that is stored, if it is not JSON; the error of the parser would quote it.
 */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/**
 * Checks what a store holds.
 *
 * @param value - A key, as it was stored.
 * @param where - Names the store.
 * @returns The key.
 * @throws {KeysUnavailableError} If it is none.
 */
export function checked(value: unknown, where: string): StoredKey {
  if (!is(value, Stored)) throw new KeysUnavailableError(`the key store in ${where} holds something that is not a key`);
  return value;
}

/**
 * Reads records of a store.
 *
 * @param records - Each with the ID under which it is stored.
 * @param read - Reads one.
 * @param onUnreadable - Called for one that cannot be read; without it, that is an error.
 * @returns Those that can be read.
 */
export function readable<Raw>(
  records: Iterable<readonly [id: string, raw: Raw]>,
  read: (raw: Raw) => StoredKey,
  onUnreadable?: OnUnreadable,
): StoredKey[] {
  const found: StoredKey[] = [];
  for (const [id, raw] of records)
    try {
      found.push(read(raw));
    } catch (error) {
      if (onUnreadable === undefined || !(error instanceof KeysUnavailableError)) throw error;
      onUnreadable(id);
    }
  return found;
}
