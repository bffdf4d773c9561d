import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { type BucketStorageOptions } from '../../../src/service/storage/store/open-bucket';
import { bundled } from '../bundled';

export type ChildService = {
  readonly port: number;
  readonly url: string;
  readonly gatewayPort: number;
  readonly pid: number;
  /** Sends SIGKILL, so the process cannot clean up. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly stderr: () => string;
};

const started: ChildProcess[] = [];

/** Processes that a failed test left running would keep the test runner from ending. */
afterAll(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const program = bundled('test/support/storage/child.ts');

/** Starts the service in a separate process. @throws Error with its output if it does not start. */
export async function startChildService(dataDir: string, bucket?: BucketStorageOptions): Promise<ChildService> {
  const child: ChildProcess = spawn(process.execPath, [program, dataDir, ...(bucket ? [JSON.stringify(bucket)] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let stderr = '';
  child.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const exited = once(child, 'exit');
  const [port = 0, gatewayPort = 0] = await new Promise<number[]>((resolve, reject) => {
    child.stdout?.once('data', (piece: Buffer) => {
      resolve(piece.toString().split(' ').map(Number));
    });
    child.once('exit', () => {
      reject(new Error(`the service did not start: ${stderr}`));
    });
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    gatewayPort,
    pid: child.pid ?? 0,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    stderr: () => stderr,
  };
}
