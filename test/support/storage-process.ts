import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { StorageClient } from '../../src/clients/storage';
import { bundled } from './bundled';

type Credentials = { readonly key: string; readonly secret: string };

/** The storage service of this repository in a separate process, because Jest would have to transform its packages. */
export type StorageProcess = {
  readonly url: string;
  readonly add: (bytes: Buffer) => Promise<string>;
  /** Adds a directory that contains the file. */
  readonly addDirectory: (bytes: Buffer) => Promise<string>;
  readonly cat: (cid: string) => Promise<Buffer>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the service. It ends with this process, also if no test stops it.
 *
 * @throws If it does not start; with its output.
 */
export async function startStorageProcess(credentials: Credentials): Promise<StorageProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'backup-test-'));
  const program = bundled('test/support/storage-program.ts');
  const child: ChildProcess = spawn(process.execPath, [program, dataDir, credentials.key, credentials.secret], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stderr?.on('data', (piece: Buffer) => (printed += piece.toString()));
  const exited = once(child, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.once('data', (piece: Buffer) => {
      resolve(Number(piece.toString()));
    });
    child.once('exit', () => {
      reject(new Error(`the storage service did not start: ${printed}`));
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const client = new StorageClient({ url, ...credentials });
  return {
    url,
    add: async (bytes) => (await client.add(bytes, { cidVersion: 1 })).cid,
    addDirectory: async (bytes) => {
      const added = await client.addAll([{ path: 'directory/file', content: bytes }], { cidVersion: 1 });
      return added.at(-1)?.cid ?? '';
    },
    cat: async (cid) => Buffer.from(await client.read(cid)),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
