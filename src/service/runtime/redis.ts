import { createHash } from 'node:crypto';

import { ConnectionTimeoutError, createClient, ErrorReply, ReconnectStrategyError } from '@redis/client';

import { ConfigError } from './config';
import { errorCode } from './error-code';

export type RedisClient = ReturnType<typeof createClient>;

const CONNECT_TIMEOUT_MS = 2_000;
/** A busy machine may not answer in time when a service starts on it: its first connection is tried so often. */
const FIRST_TRIES = 3;
const PING_MS = 1_000;
/** A connection on which nothing is answered for this long is dropped, and pending commands fail. */
const SILENCE_MS = 5_000;
/** The interval at which a connection that leads to a replica is made anew. */
const RENEW_MS = 1_000;

/**
 * Connects to Redis. While the connection is lost, commands fail at once instead of queueing, so that callers refuse
 * requests rather than wait.
 *
 * @param url - `redis://` or `rediss://` address.
 * @param onError - Called on every connection error; the client reconnects by itself.
 * @param options.isPatient - Whether to go on without a connection if Redis cannot be reached now: commands fail until
 * it can.
 * @returns The connected client.
 * @throws {ConfigError} If the first connection fails, or Redis may remove keys to make room.
 */
export async function connectRedis(
  url: string,
  onError: (error: Error) => void,
  { isPatient = false }: { isPatient?: boolean } = {},
): Promise<RedisClient> {
  let client: RedisClient;
  try {
    client = await connect(url, onError);
  } catch (error) {
    if (isPatient && isUnreachable(error)) return connectLater(url, onError);
    // Do not repeat the error's message: it may contain the address with a password.
    const first: unknown = error instanceof ReconnectStrategyError ? error.originalError : error;
    throw new ConfigError(`redis: cannot connect (${errorCode(first) ?? 'not a Redis server, or access denied'})`, {
      cause: error,
    });
  }
  const policy = await evictionOf(client);
  if (policy === undefined) return client;
  await client.close();
  throw new ConfigError(
    `redis: maxmemory-policy is ${policy}, but must be noeviction: keys, credits and blocks would be lost`,
  );
}

/** There may be a Redis later: nothing has answered, neither with a refusal nor with anything else. */
const PASSING = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

function isUnreachable(error: unknown): boolean {
  const first: unknown = error instanceof ReconnectStrategyError ? error.originalError : error;
  return first instanceof ConnectionTimeoutError || PASSING.has(errorCode(first) ?? '');
}

/** A client that connects as soon as it can, and closes a connection to a Redis that may remove keys. */
function connectLater(url: string, onError: (error: Error) => void): RedisClient {
  const client: RedisClient = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_MS, reconnectStrategy: pauseBefore },
  });
  client.on('error', onError);
  client.on('ready', () => {
    void evictionOf(client).then((policy) => {
      if (policy === undefined || !client.isReady) return;
      onError(new Error(`maxmemory-policy is ${policy}, but must be noeviction`));
      client.destroy();
      setTimeout(() => {
        client.connect().catch(() => undefined);
      }, SILENCE_MS).unref();
    });
  });
  client.connect().catch(() => undefined);
  dropWhenSilent(client, onError);
  return client;
}

const pauseBefore = (retries: number): number => Math.min(50 * 2 ** retries, 2_000);

/**
 * @param client - The connection.
 * @returns The policy by which Redis makes room when it is full; undefined if it removes nothing, or does not say.
 */
export async function evictionOf(client: RedisClient): Promise<string | undefined> {
  const info = await client.info('memory').catch(() => '');
  const [, most = '0'] = /^maxmemory:(\d+)/mu.exec(info) ?? [];
  const [, policy] = /^maxmemory_policy:([\w-]+)/mu.exec(info) ?? [];
  return most === '0' || policy === 'noeviction' ? undefined : policy;
}

async function connect(url: string, onError: (error: Error) => void): Promise<RedisClient> {
  let connected = false;
  const client: RedisClient = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (retries, cause) => {
        const isTriedAgain = connected || (cause instanceof ConnectionTimeoutError && retries + 1 < FIRST_TRIES);
        return isTriedAgain ? pauseBefore(retries) : cause;
      },
    },
  });
  client.on('error', (error: Error) => {
    if (connected) onError(error);
  });
  await client.connect();
  connected = true;
  dropWhenSilent(client, onError);
  return client;
}

/**
 * Drops a connection whose pings are not answered. Its socket has a time limit of its own, which begins anew with every
 * command that is sent: while requests come, a Redis that has stopped would never be noticed.
 */
function dropWhenSilent(client: RedisClient, onError: (error: Error) => void): void {
  let unanswered = 0;
  const hear = () => (unanswered = 0);
  client.on('ping-interval', hear).on('ready', hear);
  const watch = setInterval(() => {
    if (!client.isOpen) clearInterval(watch);
    if (!client.isReady || ++unanswered * PING_MS <= SILENCE_MS) return;
    onError(new Error(`no answer for ${SILENCE_MS / 1000} seconds`));
    renew(client);
  }, PING_MS).unref();
}

/** Drops a connection and makes it anew; commands in progress fail. */
function renew(client: RedisClient): void {
  client.destroy();
  // It tries again until it succeeds, or is closed.
  client.connect().catch(() => undefined);
}

const renewed = new WeakMap<RedisClient, number>();

/**
 * Makes a connection anew if a command has failed because Redis has become a replica, which happens when another one
 * takes over: its name or address may lead to that one by now, while an open connection never does.
 *
 * @param client - The connection.
 * @param error - Of the command.
 */
export function renewIfReplica(client: RedisClient, error: unknown): void {
  const isReplica = error instanceof ErrorReply && error.message.includes('READONLY');
  const now = performance.now();
  if (!isReplica || !client.isReady || now - (renewed.get(client) ?? -Infinity) < RENEW_MS) return;
  renewed.set(client, now);
  renew(client);
}

/** Closes a connection once its commands are answered; without them if it is lost, or silent for too long. */
export async function closeRedis(client: RedisClient): Promise<void> {
  if (!client.isOpen) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, client.isReady ? SILENCE_MS : 0);
  });
  await Promise.race([client.close(), late]);
  clearTimeout(timer);
  client.destroy();
}

/**
 * Loads a Lua script, which Redis runs atomically.
 *
 * @param client - The connection.
 * @param source - The script.
 * @returns Runs the script by its digest, and sends its source if Redis does not have it (first use, restart,
 * failover).
 */
export async function loadScript(
  client: RedisClient,
  source: string,
): Promise<(keys: string[], args: string[]) => Promise<unknown>> {
  const digest = createHash('sha1').update(source).digest('hex');
  // Without a connection, it is sent with its first use.
  await client.scriptLoad(source).catch(() => undefined);
  return async (keys, args) => {
    const options = { keys, arguments: args };
    try {
      return await client.evalSha(digest, options);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return client.eval(source, options);
    }
  };
}
