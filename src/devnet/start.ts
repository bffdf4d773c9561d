import { type Options, readOptions, USAGE, UsageError } from './options';
import { Parts } from './parts';
import { assertPortsFree, portsFrom } from './ports';
import { Progress } from './progress';
import { openTemporaryFolder, type Run } from './run';

/** Asked to end by Ctrl-C or a signal: nothing is wrong. */
class Interrupted extends Error {}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Milliseconds between two looks at whether npm, which started this, is still there. */
const LOOK_EVERY = 500;

/** Calls back once the process that started this one is gone: npm passes a signal on to a shell only. */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, LOOK_EVERY).unref();
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

/** Waits until something is loaded, or until everything is to end: of what is loading, nothing has to be stopped. */
const unlessAborted = <T>(loading: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    loading,
    aborted(signal).then(() => {
      throw signal.reason;
    }),
  ]);

/** @returns The exit code. */
async function run(options: Options): Promise<number> {
  const ending = new AbortController();
  const { signal } = ending;
  const end = (reason: unknown): void => {
    ending.abort(reason);
  };
  for (const name of SIGNALS)
    process.on(name, () => {
      // The second one does not wait: what runs is killed as the process ends.
      if (signal.reason instanceof Interrupted) process.exit(130);
      end(new Interrupted());
    });
  whenOrphaned(() => {
    end(new Interrupted());
  });
  const progress = new Progress(process.stdout);
  const parts = new Parts(end);
  // It takes seconds, and a wrong command line, a taken port or Ctrl-C is to be answered at once.
  const loaded = <T>(load: () => Promise<T>): Promise<T> =>
    progress.during('loading', () => unlessAborted(load(), signal));
  try {
    const context: Run = { signal, progress, parts, temporary: openTemporaryFolder() };
    if (options.once) {
      progress.line('Keystead: building the snap, then running its main job.\n');
      const { runOnce } = await loaded(() => import('./once'));
      await runOnce(context);
    } else {
      progress.line('Keystead devnet\n');
      await assertPortsFree(portsFrom(options.portBase), options.bundler);
      const { startDevnet } = await loaded(() => import('./devnet'));
      await startDevnet(options, context, end);
      await aborted(signal);
    }
    signal.throwIfAborted();
    return 0;
  } catch (error) {
    progress.stop();
    // What failed since everything was told to end is not why it ends.
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (reason instanceof Interrupted) {
      progress.line('Stopping.');
      return 0;
    }
    console.error(`\nKeystead stops: ${reason instanceof Error ? reason.message : String(reason)}`);
    return 1;
  } finally {
    await parts.stop();
  }
}

async function main(): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options !== undefined) return await run(options);
    console.log(USAGE);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    return 1;
  }
}

process.exit(await main());
