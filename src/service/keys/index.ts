import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { KeyLimits } from './limits';

/** The caller of a request. Safe to log: it holds neither the key nor the secret. */
export type KeyIdentity = {
  /**
   * SHA-256 of the key, lower-case hex: identifies the key in ledgers, pins and logs. A key that replaces another keeps
   * the ID of that one.
   */
  id: string;
  /** The name given to the key; empty if none. */
  name: string;
  /** Daily credits of this key; undefined means the service's default. */
  dailyCredits: number | undefined;
  /** What the key may do; everything if absent. */
  limits?: KeyLimits | undefined;
  /** When the key ends, in milliseconds since the Unix epoch. */
  endsAt?: number | undefined;
};

/** A key as `keys list` shows it. The secret is not part of it: only its hash is stored. */
export type KeyRecord = KeyIdentity & {
  key: string;
  createdAt: Date;
  revokedAt: Date | undefined;
};

export type NewKey = {
  name?: string | undefined;
  dailyCredits?: number | undefined;
  limits?: KeyLimits | undefined;
  endsAt?: number | undefined;
};

/** What changes of a key; null takes a setting away, and what is absent stays. */
export type KeyChange = {
  name?: string | undefined;
  dailyCredits?: number | null | undefined;
  limits?: { [Name in keyof KeyLimits]: KeyLimits[Name] | null } | undefined;
  endsAt?: number | null | undefined;
};

/** A new key. The secret is known only now. */
export type CreatedKey = { key: string; secret: string; identity: KeyIdentity };

/**
 * The API keys, shared by all parts of the service. JSON-RPC identifies a caller by the key in the path; file storage
 * by key and secret, sent as HTTP basic credentials.
 */
export type KeyStore = {
  create(options?: NewKey): Promise<CreatedKey>;
  /**
   * Creates a key if there is none at all, for the start of a service; absent in a store that machines share, in which
   * only an operator decides that there is no key because it is new.
   *
   * @returns The key; undefined if there were some.
   */
  createFirst?(options: NewKey): Promise<CreatedKey | undefined>;
  /**
   * Every key, including revoked ones, oldest first.
   *
   * @param onUnreadable - Called for each record that cannot be read, with the ID under which it is stored; without it,
   * such a record is an error.
   */
  list(onUnreadable?: OnUnreadable): Promise<KeyRecord[]>;
  /** @returns Whether there is no key at all, not even a revoked one. */
  isEmpty(): Promise<boolean>;
  /**
   * Changes a key, and with it those that it replaced or that replaced it.
   *
   * @returns The record of the key; undefined if there is no such key, or it is revoked.
   */
  edit(key: string, change: KeyChange): Promise<KeyRecord | undefined>;
  /**
   * Gives a key a new secret, or replaces it by a new key with a new secret. Its limits, pins and use stay.
   *
   * @param until - When the old one ends, in milliseconds since the Unix epoch.
   * @returns The new one; undefined if there is no such key, or it is revoked or has ended.
   * @throws {TooManySecretsError} If too many old secrets still work.
   */
  rotate(key: string, what: 'secret' | 'key', until: number): Promise<CreatedKey | undefined>;
  /** @returns Whether the key existed and was not yet revoked. */
  revoke(key: string): Promise<boolean>;
  /**
   * @param key - As the caller sent it.
   * @param secret - As the caller sent it. Omit it only where the key alone is enough (JSON-RPC).
   * @returns The identity, or undefined for an unknown key, a revoked key or a wrong secret alike.
   * @throws {KeysUnavailableError} If the store is unreachable. Callers must then refuse the request.
   */
  verify(key: string, secret?: string): Promise<KeyIdentity | undefined>;
  /**
   * The identity of a key that was verified before and is still valid, without a promise; undefined if it is not known.
   * A key that another process revokes may be known for {@link KNOWN_MS} longer.
   */
  known?(key: string): KeyIdentity | undefined;
  close(): Promise<void>;
};

/** For so many milliseconds no look is taken whether another process has revoked a key: less than it takes to end. */
export const KNOWN_MS = 2;

/** The key store is unreachable, so every request must be refused. */
export class KeysUnavailableError extends Error {
  override name = 'KeysUnavailableError';
}

/** Too many old secrets of a key still work. */
export class TooManySecretsError extends Error {
  override name = 'TooManySecretsError';
}

/** What a list does with a record that cannot be read. */
export type OnUnreadable = (id: string) => void;

/** The stored form of a key. */
export type StoredKey = {
  key: string;
  secretHash: string;
  name: string;
  dailyCredits: number | null;
  /** Milliseconds since the Unix epoch. */
  createdAt: number;
  revokedAt: number | null;
  /** What few keys have. */
  settings?: KeySettings | undefined;
};

export type KeySettings = {
  /** The ID, if it is that of a key which this one replaces. */
  id?: string | undefined;
  limits?: KeyLimits | undefined;
  endsAt?: number | undefined;
  /** The secrets before this one, the newest first, each until it ends. */
  former?: readonly { secretHash: string; endsAt: number }[] | undefined;
};

/** How many old secrets of a key may work at a time: each is compared with what a caller sends. */
export const MAX_FORMER = 8;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/**
 * Hashes a key for the lookup in the store, so that the lookup's duration reveals nothing about the key.
 *
 * @param key - The API key.
 * @returns SHA-256 of the key, lower-case hex.
 */
export function keyId(key: string): string {
  return sha256(key).toString('hex');
}

/** Digits of a key's ID in the log: enough to find the key among all. */
const LOGGED_DIGITS = 8;

/** @returns The fields of a log line about a request of a key; without a name if nobody verified it. */
export const fieldsOfKey = ({ id, name }: { id: string; name?: string | undefined }): object => ({
  ...(name !== undefined && { key: name }),
  keyId: id.slice(0, LOGGED_DIGITS),
});

function newSecret(): { secret: string; secretHash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, secretHash: sha256(secret).toString('hex') };
}

const newKey = () => randomBytes(16).toString('hex');

/**
 * Generates a key (16 random bytes, hex) and its secret (32 random bytes, base64url).
 *
 * @param options - Name, daily credits, limits and end.
 * @returns The secret, and the record to store. A secret has 256 bits of entropy, so a single SHA-256 protects it as
 * well as a slow hash would.
 */
export function generateKey({ name = '', dailyCredits, limits, endsAt }: NewKey): {
  secret: string;
  stored: StoredKey;
} {
  const { secret, secretHash } = newSecret();
  return {
    secret,
    stored: {
      key: newKey(),
      secretHash,
      name,
      dailyCredits: dailyCredits ?? null,
      createdAt: Date.now(),
      revokedAt: null,
      settings: { limits, endsAt },
    },
  };
}

/** @returns Whether a key that was identified has not ended since. */
export const lasts = ({ endsAt = Infinity }: Pick<KeyIdentity, 'endsAt'>): boolean => Date.now() < endsAt;

/** @returns Whether the key is neither revoked nor has ended. */
export const isValid = ({ revokedAt, settings }: StoredKey): boolean => revokedAt === null && lasts(settings ?? {});

/** What no secret has as its hash. */
const NO_HASH = '0'.repeat(64);

/** As many comparisons for every key, however many old secrets it has. */
function fits(stored: StoredKey | undefined, secret: string): boolean {
  const given = sha256(secret);
  const former = (stored?.settings?.former ?? []).filter(lasts).map(({ secretHash }) => secretHash);
  const hashes = [stored?.secretHash, ...former];
  const compared = Array.from({ length: 1 + MAX_FORMER }, (_, index) =>
    timingSafeEqual(given, Buffer.from(hashes[index] ?? NO_HASH, 'hex')),
  );
  return compared.includes(true);
}

/**
 * Verifies a caller in constant time with respect to the secret.
 *
 * @param stored - The stored record of the caller's key; undefined if there is none.
 * @param secret - As the caller sent it; undefined where the key alone is enough.
 * @returns The identity, or undefined.
 */
export function identify(stored: StoredKey | undefined, secret: string | undefined): KeyIdentity | undefined {
  const isRight = secret === undefined || fits(stored, secret);
  return stored && isValid(stored) && isRight ? identityOf(stored) : undefined;
}

export function identityOf({ key, name, dailyCredits, settings = {} }: StoredKey): KeyIdentity {
  const { id = keyId(key), limits, endsAt } = settings;
  return { id, name, dailyCredits: dailyCredits ?? undefined, limits, endsAt };
}

export function recordOf(stored: StoredKey): KeyRecord {
  return {
    ...identityOf(stored),
    key: stored.key,
    createdAt: new Date(stored.createdAt),
    revokedAt: stored.revokedAt === null ? undefined : new Date(stored.revokedAt),
  };
}

/** @returns Whether a key was rotated into another one: who revokes that one revokes both. */
export const isReplacedBy = (stored: StoredKey, by: StoredKey): boolean =>
  stored.key !== by.key && identityOf(stored).id === identityOf(by).id && stored.createdAt < by.createdAt;

/**
 * The records of a key that was rotated share its limits. Only the key that is named gets another end: a former one
 * keeps its own.
 *
 * @returns The changed record of one of them.
 */
export const editedOf = (stored: StoredKey, named: string, changed: KeyChange): StoredKey =>
  edited(stored, stored.key === named ? changed : { ...changed, endsAt: undefined });

/** @returns The changed record. */
export function edited(stored: StoredKey, { name, dailyCredits, limits, endsAt }: KeyChange): StoredKey {
  const { settings = {} } = stored;
  const merged = Object.entries({ ...settings.limits, ...limits }).filter(([, value]) => value !== null);
  return {
    ...stored,
    name: name ?? stored.name,
    dailyCredits: dailyCredits === undefined ? stored.dailyCredits : dailyCredits,
    settings: {
      ...settings,
      limits: merged.length === 0 ? undefined : (Object.fromEntries(merged) as KeyLimits),
      endsAt: endsAt === undefined ? settings.endsAt : (endsAt ?? undefined),
    },
  };
}

/**
 * @param until - When the old secret or key ends. If that is now, all old secrets end; otherwise those before it keep
 * their own time.
 * @returns The new secret, and the records to store: of the key alone, or of the new key and the old one.
 */
export function rotated(
  stored: StoredKey,
  what: 'secret' | 'key',
  until: number,
): { secret: string; stored: StoredKey; old?: StoredKey } {
  const { secret, secretHash } = newSecret();
  const { settings = {} } = stored;
  if (what === 'secret') {
    const kept = until <= Date.now() ? [] : (settings.former ?? []).filter(lasts);
    if (kept.length >= MAX_FORMER)
      throw new TooManySecretsError(
        `--keep: ${MAX_FORMER} old secrets of this key still work; wait until one ends, or end all with --keep 0s`,
      );
    const former = [{ secretHash: stored.secretHash, endsAt: until }, ...kept];
    return { secret, stored: { ...stored, secretHash, settings: { ...settings, former } } };
  }
  const { id } = identityOf(stored);
  return {
    secret,
    stored: {
      ...stored,
      key: newKey(),
      secretHash,
      createdAt: Math.max(Date.now(), stored.createdAt + 1),
      settings: { ...settings, id, former: undefined },
    },
    old: { ...stored, settings: { ...settings, endsAt: Math.min(until, settings.endsAt ?? Infinity) } },
  };
}
