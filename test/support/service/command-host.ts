import { archiveCommand } from '../../../src/service/cli/archive';
import { runProgram } from '../../../src/service/cli/command';
import { keysCommand } from '../../../src/service/cli/keys';
import { serveCommand } from '../../../src/service/cli/serve';
import { storageCommand } from '../../../src/service/cli/storage';

/** The arguments and the environment of one run. */
export type CommandRun = { readonly args: readonly string[]; readonly env: Record<string, string> };
export type CommandEnd = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Takes what is written instead of a stream, and returns what was taken. */
function taken(stream: NodeJS.WriteStream): () => string {
  let text = '';
  stream.write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk);
    return true;
  };
  return () => text;
}

/** Runs `keystead` once for each message, in this process, as its command line does. */
process.on('message', (run: CommandRun) => {
  const [stdout, stderr] = [taken(process.stdout), taken(process.stderr)];
  process.argv = [process.execPath, 'keystead', ...run.args];
  process.env = { ...run.env };
  process.exitCode = 0;
  void runProgram([serveCommand, keysCommand, archiveCommand, storageCommand]).then(() => {
    process.stdout.removeAllListeners('error');
    process.send?.({ code: Number(process.exitCode), stdout: stdout(), stderr: stderr() } satisfies CommandEnd);
  });
});
process.on('disconnect', () => process.exit(0));
