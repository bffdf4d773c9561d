import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningStorage, startStorage, type StorageOptions } from '../../../src/service/storage/server';

export type TestService = RunningStorage & {
  readonly dataDir: string;
  readonly warnings: string[];
  /** Stops the service and removes its data. */
  readonly discard: () => Promise<void>;
};

/** Makes a temporary directory for a test. */
export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'storage-test-'));

const started = new Set<TestService>();

/** Services that a failed test left running would keep the test runner from ending. */
afterAll(async () => {
  for (const service of started) await service.discard();
});

/**
 * Starts a service on a free loopback port, without access control and without waiting for the disk unless the options
 * say otherwise.
 */
export async function startTestService(options: Partial<StorageOptions> = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? (await temporaryDirectory());
  const warnings: string[] = [];
  const running = await startStorage({
    dataDir,
    authenticate: null,
    port: 0,
    durable: false,
    logger: {
      info: () => undefined,
      warn: (_fields, message) => warnings.push(message),
      error: (fields, message) => warnings.push(`${message} ${JSON.stringify(fields)}`),
    },
    ...options,
  });
  const stop = async () => {
    if (started.delete(service)) await running.stop();
  };
  const service: TestService = {
    ...running,
    stop,
    dataDir,
    warnings,
    discard: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  started.add(service);
  return service;
}
