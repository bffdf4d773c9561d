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

/** A directory of its own for a test. */
export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'storage-test-'));

/** A service on a free loopback port, open to everybody unless the options say otherwise. */
export async function startTestService(options: Partial<StorageOptions> = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? (await temporaryDirectory());
  const warnings: string[] = [];
  const running = await startStorage({
    dataDir,
    authenticate: null,
    port: 0,
    logger: {
      info: () => undefined,
      warn: (_fields, message) => warnings.push(message),
      error: (fields, message) => warnings.push(`${message} ${JSON.stringify(fields)}`),
    },
    ...options,
  });
  return {
    ...running,
    dataDir,
    warnings,
    discard: async () => {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
