import { is, nullable, number, object, optional, pattern, string, type Struct, type } from '@metamask/superstruct';

import { KeysUnavailableError, type StoredKey } from './index';
import { KeyLimitsStruct } from './limits';

const hash = () => pattern(string(), /^[\da-f]{64}$/u);

/** A setting that this build does not know may be a limit: such a key is refused. */
const Settings = object({
  id: optional(hash()),
  limits: optional(KeyLimitsStruct),
  endsAt: optional(number()),
  former: optional(object({ secretHash: hash(), endsAt: number() })),
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
