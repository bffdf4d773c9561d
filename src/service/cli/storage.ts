import type { Command } from 'commander';

import { storageJobBar, type StorageCommand } from '../storage/cli/command';
import { runGc } from '../storage/cli/gc';
import { runStat } from '../storage/cli/stat';
import { runVerify } from '../storage/cli/verify';
import { openShared, storageDir } from '../storage/part';
import { addCommand, ReportedFailure, settings, type CommonOptions } from './command';
import { makeDataDir } from './data-dir';

/** Runs a storage command on the data directory of the command line. */
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

/** `storage gc|verify|stat`: on the files of a service that is not running, or on a bucket. */
export function storageCommand(program: Command): void {
  const storage = program.command('storage').description('the stored files, while the service does not run');
  addCommand(storage, 'gc', 'remove what no pin needs')
    .option(
      '--force',
      'although blocks that pins need are missing or cannot be read: what only they lead to is removed',
    )
    .action(running(runGc));
  addCommand(storage, 'verify', 'read everything and compare it with its hashes').action(running(runVerify));
  addCommand(storage, 'stat', 'tell what is stored').action(running(runStat));
}
