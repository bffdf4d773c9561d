import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A thread that reports when its standard input has ended. It is closed from the start. */
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

/** Starts a program with the bundler's preload as the devnet does, with an open standard input. */
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
      // Only the first line, since the thread may have printed that it ended before this is read.
      resolve(String(text).split('\n')[0] ?? '');
    });
  });
  return { said, ended, letGo: () => child.stdin.end() };
}

describe('the preload of the bundler', () => {
  it('ends the bundler with the devnet, but does not end the thread that writes its log', async () => {
    const program = startWithPreload();
    const said = await program.said;
    program.letGo();
    expect(await program.ended).toBe(0);
    expect(said).toBe('the thread goes on');
  });

  it('stands in for Sentry, which is not installed and must not make the bundler fail', async () => {
    const preload = join(process.cwd(), 'src/devnet/bundler/loopback.mjs');
    const program =
      "import * as sentry from '@sentry/node'; console.log(sentry.captureException(new Error('x'))); process.exit();";
    const run = promisify(execFile)(process.execPath, ['--import', preload, '--input-type=module', '--eval', program]);
    expect((await run).stdout).toBe('undefined\n');
  });
});
