import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

import type { KeyStore } from './keys';

/** What every part of the service is handed, with the sections of the configuration that it needs. */
export type PartContext<Config> = {
  config: Config;
  /** Where a part may keep files; it makes its own folder in here. */
  dataDir: string;
  keys: KeyStore;
  log: Logger;
  /** Prometheus metrics of the whole process, served at `/metrics`. */
  metrics: Registry;
  /** Why the process cannot do its work: the problems of every part that runs. Served at `/health`. */
  problems: () => Promise<string[]>;
};

/** A part that answers requests. */
export type RunningPart = {
  /** What to print once the part answers: `label` for a person, `url` with the port really bound. */
  addresses: { label: string; url: string }[];
  /** Whether the part can do its work; the reasons it cannot, each a short sentence without secrets. */
  problems(): Promise<string[]>;
  /** Finishes what is under way, then lets go of sockets and files. Called once. */
  stop(): Promise<void>;
};

/**
 * Stops parts, all at once: each waits for what is under way on it, and together they take as long as the slowest. The rest
 * stop also when one fails to: a listener that stayed would keep the process from ending.
 *
 * @throws The failure of the first, in the order of their start.
 */
export async function stopParts(running: readonly RunningPart[]): Promise<void> {
  const outcomes = await Promise.allSettled(running.map((part) => part.stop()));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** One server of the service (chain look-ups, file storage): `serve` starts them in order and stops them together. */
export type ServicePart<Config> = {
  name: string;
  start(context: PartContext<Config>): Promise<RunningPart>;
};
