import { type Options, readOptions, USAGE, UsageError } from './options';
import { Parts } from './parts';
import { assertPortsFree, portsFrom } from './ports';
import { Progress } from './progress';
import { openTemporaryFolder, type Run } from './run';

/** Stopped by Ctrl-C or a signal, which is not an error. */
class Interrupted extends Error {}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Interval in milliseconds for checking whether npm, the parent process, still runs. */
const CHECK_EVERY = 500;

/**
 * The time after a signal in which the same one still belongs to it, in milliseconds: at Ctrl-C the terminal sends one
 * to this process and one to npm, which passes it on.
 */
const SAME_SIGNAL = 500;

/** Calls back once the parent process is gone: npm may have been killed, and passes nothing on then. */
function whenOrphaned(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, CHECK_EVERY).unref();
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });

/** Waits until something is loaded or everything must stop. A pending load needs no cleanup. */
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
  let firstSignalAt: number | undefined = undefined;
  for (const name of SIGNALS)
    process.on(name, () => {
      firstSignalAt ??= performance.now();
      // A second signal does not wait: running programs are killed as the process exits.
      if (performance.now() - firstSignalAt > SAME_SIGNAL) process.exit(130);
      end(new Interrupted());
    });
  whenOrphaned(() => {
    end(new Interrupted());
  });
  const progress = new Progress(process.stdout);
  const parts = new Parts(end);
  // Loading takes seconds, but an invalid command line, a used port or Ctrl-C must be handled at once.
  const loaded = <T>(load: () => Promise<T>): Promise<T> =>
    progress.during('loading', () => unlessAborted(load(), signal));
  try {
    const context: Run = { signal, progress, parts, temporary: openTemporaryFolder() };
    if (options.once) {
      progress.line('Keystead: building the snap, then running its main flow.\n');
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
    // Failures after the stop was requested are not its reason.
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (reason instanceof Interrupted) {
      progress.line('Stopping.');
      return 0;
    }
    console.error(`\nKeystead stopped: ${reason instanceof Error ? reason.message : String(reason)}`);
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
