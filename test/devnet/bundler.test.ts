import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** A thread that tells once its standard input, which is closed from the start, was read to its end. */
const THREAD = `
  import { parentPort } from 'node:worker_threads';
  process.stdin.once('end', () => setImmediate(() => parentPort.postMessage('the thread goes on')));
  process.stdin.resume();
`;
const PROGRAM = `
  const { Worker } = require('node:worker_threads');
  const say = (what) => process.stdout.write(what + '\\n');
  const thread = new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(THREAD)}`)}));
  thread.on('message', say).on('exit', () => say('the thread has ended'));
`;

/** A program with what is loaded into the bundler, as the devnet starts it: its standard input stays open. */
function startWithPreload() {
  const preload = join(process.cwd(), 'src/devnet/bundler/loopback.mjs');
  const child = spawn(process.execPath, ['--import', preload, '--eval', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  const said = new Promise<string>((resolve) => {
    child.stdout.once('data', (text: Buffer) => {
      // The first line: the thread may have ended, and said so, before it was read.
      resolve(String(text).split('\n')[0] ?? '');
    });
  });
  return { said, ended, letGo: () => child.stdin.end() };
}

describe('what is loaded into the bundler', () => {
  it('ends it with the devnet, and not the thread that writes its log', async () => {
    const program = startWithPreload();
    const said = await program.said;
    program.letGo();
    expect(await program.ended).toBe(0);
    expect(said).toBe('the thread goes on');
  });
});
