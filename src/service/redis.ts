import { createClient } from '@redis/client';

export type RedisClient = ReturnType<typeof createClient>;

const CONNECT_TIMEOUT_MS = 2_000;
const PING_MS = 1_000;
/** Longer than this without a sign of life, and the connection is given up: what waits for an answer then fails. */
const SILENCE_MS = 5_000;

/**
 * Connects to Redis. While the connection is lost commands fail at once instead of queueing: whoever asks must refuse,
 * not wait.
 *
 * @param url - `redis://` or `rediss://` address.
 * @param onError - Told of every connection error; the client reconnects by itself.
 * @returns The connected client.
 * @throws If the first connection fails.
 */
export async function connectRedis(url: string, onError: (error: Error) => void): Promise<RedisClient> {
  let connected = false;
  const client: RedisClient = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (retries, cause) => (connected ? Math.min(50 * 2 ** retries, 2_000) : cause),
    },
  });
  client.on('error', (error: Error) => {
    if (connected) onError(error);
  });
  await client.connect();
  connected = true;
  return client;
}
