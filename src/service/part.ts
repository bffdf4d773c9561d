import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

import type { ServiceConfig } from './config';
import type { KeyStore } from './keys';

/** What every part of the service is handed. */
export type PartContext = {
  config: ServiceConfig;
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
 * Stops parts in the reverse order of their start, the rest also when one fails to stop: a listener that stayed would keep
 * the process from ending.
 *
 * @throws The first failure.
 */
export async function stopParts(running: readonly RunningPart[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of [...running].reverse()) await part.stop().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** One server of the service (chain look-ups, file storage): `serve` starts them in order and stops them in reverse. */
export type ServicePart = {
  name: string;
  start(context: PartContext): Promise<RunningPart>;
};
