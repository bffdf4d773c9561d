import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The caller of a request. Safe to log: it holds neither the key nor the secret. */
export type KeyIdentity = {
  /** SHA-256 of the key, lower-case hex: identifies the key in ledgers, pins and logs. */
  id: string;
  /** The name given to the key; empty if none. */
  name: string;
  /** Daily credits of this key; undefined means the service's default. */
  dailyCredits: number | undefined;
};

/** A key as `keys list` shows it. The secret is not part of it: only its hash is stored. */
export type KeyRecord = KeyIdentity & {
  key: string;
  createdAt: Date;
  revokedAt: Date | undefined;
};

export type NewKey = { name?: string | undefined; dailyCredits?: number | undefined };

/** A new key. The secret is known only now. */
export type CreatedKey = { key: string; secret: string; identity: KeyIdentity };

/**
 * The API keys, shared by all parts of the service. JSON-RPC identifies a caller by the key in the path; file storage
 * by key and secret, sent as HTTP basic credentials.
 */
export type KeyStore = {
  create(options?: NewKey): Promise<CreatedKey>;
  /** Every key, including revoked ones, oldest first. */
  list(): Promise<KeyRecord[]>;
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

/** The stored form of a key. */
export type StoredKey = {
  key: string;
  secretHash: string;
  name: string;
  dailyCredits: number | null;
  /** Milliseconds since the Unix epoch. */
  createdAt: number;
  revokedAt: number | null;
};

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

/**
 * Generates a key (16 random bytes, hex) and its secret (32 random bytes, base64url).
 *
 * @param options - Name and daily credits.
 * @returns The secret, and the record to store. A secret has 256 bits of entropy, so a single SHA-256 protects it as
 * well as a slow hash would.
 */
export function generateKey({ name = '', dailyCredits }: NewKey): { secret: string; stored: StoredKey } {
  const secret = randomBytes(32).toString('base64url');
  return {
    secret,
    stored: {
      key: randomBytes(16).toString('hex'),
      secretHash: sha256(secret).toString('hex'),
      name,
      dailyCredits: dailyCredits ?? null,
      createdAt: Date.now(),
      revokedAt: null,
    },
  };
}

/**
 * Verifies a caller in constant time with respect to the secret.
 *
 * @param stored - The stored record of the caller's key; undefined if there is none.
 * @param secret - As the caller sent it; undefined where the key alone is enough.
 * @returns The identity, or undefined.
 */
export function identify(stored: StoredKey | undefined, secret: string | undefined): KeyIdentity | undefined {
  const expected = Buffer.from(stored?.secretHash ?? '0'.repeat(64), 'hex');
  const secretFits = secret === undefined || timingSafeEqual(sha256(secret), expected);
  return stored && stored.revokedAt === null && secretFits ? identityOf(stored) : undefined;
}

export function identityOf({ key, name, dailyCredits }: StoredKey): KeyIdentity {
  return { id: keyId(key), name, dailyCredits: dailyCredits ?? undefined };
}

export function recordOf(stored: StoredKey): KeyRecord {
  return {
    ...identityOf(stored),
    key: stored.key,
    createdAt: new Date(stored.createdAt),
    revokedAt: stored.revokedAt === null ? undefined : new Date(stored.revokedAt),
  };
}
