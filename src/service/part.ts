import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { KeyStore } from './keys';
import type { JoinedRegistry } from './runtime/joined-registry';

/** Passed to every part of the service, with the configuration sections that the part needs. */
export type PartContext<Config> = {
  config: Config;
  /** Folder for the service's files; each part creates its own subfolder. */
  dataDir: string;
  keys: KeyStore;
  log: Logger;
  /** Prometheus metrics of the whole process, served at `/metrics` to operators. */
  metrics: JoinedRegistry;
};

/** A running server. */
export type RunningPart = {
  /** The lines to print once the part is listening: `label` for a person, `url` with the port actually bound. */
  addresses: { label: string; url: string }[];
  /** The reasons why the part cannot work, each a short sentence without secrets; empty if it can. */
  problems(): Promise<string[]>;
  /** What more there is to say about its state, without addresses or secrets. */
  details?(): Record<string, unknown>;
  /**
   * Goes on serving, and sends clients elsewhere: responses close their connection, WebSockets are closed one after the
   * other. Called once, before {@link stop}.
   *
   * @param ms - Milliseconds until the stop.
   */
  leave?(ms: number): void;
  /** Finishes the requests in progress, then closes sockets and files. Called once. */
  stop(): Promise<void>;
};

/**
 * Sends clients elsewhere, while all parts go on serving.
 *
 * @param ms - For how many milliseconds.
 */
export async function leaveParts(running: readonly RunningPart[], ms: number): Promise<void> {
  if (ms === 0) return;
  for (const part of running) part.leave?.(ms);
  await delay(ms);
}

/**
 * Stops all parts in parallel, so stopping takes as long as the slowest. If one fails, the others still stop: an open
 * listener would keep the process alive.
 *
 * @throws The failure of the first part that failed, in start order.
 */
export async function stopParts(running: readonly RunningPart[]): Promise<void> {
  const outcomes = await Promise.allSettled(running.map((part) => part.stop()));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** One server of the service (JSON-RPC or file storage): `serve` starts them in order and stops them together. */
export type ServicePart<Config> = {
  name: string;
  start(context: PartContext<Config>): Promise<RunningPart>;
};
