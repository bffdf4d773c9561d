import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Who a request is from. Safe to log: it holds neither the key nor the secret.
 */
export type KeyIdentity = {
  /** SHA-256 of the key, lower-case hex: what ledgers, pins and logs know a key by. */
  id: string;
  /** The name its owner gave it; empty when none was given. */
  name: string;
  /** Credits a day for this key; undefined means the service's default. */
  dailyCredits: number | undefined;
};

/** A key as `keys list` shows it. The secret is not part of it: only its hash is stored. */
export type KeyRecord = KeyIdentity & {
  key: string;
  createdAt: Date;
  revokedAt: Date | undefined;
};

export type NewKey = { name?: string | undefined; dailyCredits?: number | undefined };

/** The only moment at which the secret is known. */
export type CreatedKey = { key: string; secret: string; identity: KeyIdentity };

/**
 * The keys of the service, shared by all its parts. The JSON-RPC part knows a caller by the key in the path; the
 * file-storage part by key and secret, sent as HTTP basic credentials.
 */
export type KeyStore = {
  create(options?: NewKey): Promise<CreatedKey>;
  /** Every key, revoked ones included, oldest first. */
  list(): Promise<KeyRecord[]>;
  /** @returns Whether there was such a key that was not revoked already. */
  revoke(key: string): Promise<boolean>;
  /**
   * @param key - As the caller sent it.
   * @param secret - As the caller sent it. Leave it out only where the key alone is enough (JSON-RPC).
   * @returns The identity, or undefined for an unknown key, a revoked key or a wrong secret: one answer for all three.
   * @throws {KeysUnavailableError} If the store cannot be asked. Callers must then refuse the request.
   */
  verify(key: string, secret?: string): Promise<KeyIdentity | undefined>;
  close(): Promise<void>;
};

/** The key store cannot be asked; nobody may be let in. */
export class KeysUnavailableError extends Error {
  override name = 'KeysUnavailableError';
}

/** What a store keeps for a key, apart from the key itself. */
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
 * Stores look a key up by this, so that how long the look-up takes says nothing about the key.
 *
 * @param key - The API key.
 * @returns SHA-256 of the key, lower-case hex.
 */
export function keyId(key: string): string {
  return sha256(key).toString('hex');
}

/**
 * Makes a key (16 random bytes, hex) and its secret (32 random bytes, base64url).
 *
 * @param options - Name and daily credits.
 * @returns The secret, and what to store. A secret has 256 bits of entropy, so one SHA-256 hides it as well as a slow
 * hash would.
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
 * Decides whether a caller is who it says, in a time that does not depend on where the secrets differ.
 *
 * @param stored - What the store holds under the caller's key; undefined if nothing.
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
