import type { Command } from 'commander';

import { storageJobBar, type StorageCommand } from '../storage/cli/command';
import { runGc } from '../storage/cli/gc';
import { runStat } from '../storage/cli/stat';
import { runVerify } from '../storage/cli/verify';
import { openShared, storageDir } from '../storage/part';
import { addCommand, ReportedFailure, settings, type CommonOptions } from './command';
import { makeDataDir } from './data-dir';

/** Runs a storage command on the data directory given on the command line. */
const running =
  (run: StorageCommand) =>
  async (options: CommonOptions & { force?: boolean }): Promise<void> => {
    const { config, dataDir, json } = settings(options);
    const warn = (message: string) => process.stderr.write(`${message}\n`);
    if (!config.storage.s3) makeDataDir(dataDir);
    const shared = await openShared(config, warn);
    const bar = storageJobBar(process.stderr);
    const code = await run({
      ...(shared && { shared }),
      dataDir: storageDir(dataDir.path),
      json,
      force: options.force === true,
      output: (line) => {
        bar.endLine();
        process.stdout.write(`${line}\n`);
      },
      progress: json ? () => undefined : bar.draw,
    }).finally(bar.endLine);
    if (code !== 0) throw new ReportedFailure();
  };

/** `storage gc|verify|stat`: for the files of a stopped service, or for a bucket. */
export function storageCommand(program: Command): void {
  const storage = program.command('storage').description('maintain the stored files while the service is stopped');
  addCommand(storage, 'gc', 'remove blocks that no pin needs')
    .option(
      '--force',
      'run even if pinned blocks are missing or unreadable; blocks reachable only through them are removed',
    )
    .action(running(runGc));
  addCommand(storage, 'verify', 'read every block and check its hash').action(running(runVerify));
  addCommand(storage, 'stat', 'show what is stored').action(running(runStat));
}
