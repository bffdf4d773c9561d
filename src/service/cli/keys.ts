import { InvalidArgumentError, type Command } from 'commander';

import { keyId, type KeyRecord, type KeyStore } from '../keys';
import { openKeys } from '../keys/open';
import { table } from '../runtime/table';
import { addCommand, print, ReportedFailure, settings, wholeNumber, type CommonOptions } from './command';
import { makeDataDir } from './data-dir';

/** A name must fit on one line of a table in a terminal. */
function keyName(text: string): string {
  if (!/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{0,100}$/u.test(text))
    throw new InvalidArgumentError('Use at most 100 characters, without control characters.');
  return text;
}

/** Opens the key store for the duration of one command. */
async function withKeys(options: CommonOptions, use: (keys: KeyStore, json: boolean) => Promise<void>): Promise<void> {
  const { config, dataDir, json } = settings(options);
  if (config.ledger === 'sqlite') makeDataDir(dataDir);
  const keys = await openKeys(config, dataDir.path, () => undefined);
  try {
    await use(keys, json);
  } finally {
    await keys.close();
  }
}

function rows(records: readonly KeyRecord[]): string[][] {
  return records.map(({ key, name, createdAt, revokedAt, dailyCredits }) => [
    key,
    name,
    createdAt.toISOString(),
    dailyCredits === undefined ? 'default' : String(dailyCredits),
    revokedAt ? `revoked ${revokedAt.toISOString()}` : 'active',
  ]);
}

/** `keys create`, `keys list`, `keys revoke`. */
export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('API keys');

  addCommand(keys, 'create', 'create a key and its secret; the secret is shown only once')
    .option('--name <name>', 'name of the key', keyName)
    .option('--credits <count>', 'daily credits, if not the default', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .action((options: CommonOptions & { name?: string; credits?: number }) =>
      withKeys(options, async (store, json) => {
        const { key, secret } = await store.create({ name: options.name ?? '', dailyCredits: options.credits });
        print(json, { key, secret }, () =>
          table([
            ['Key', key],
            ['Secret', secret],
          ]),
        );
      }),
    );

  addCommand(keys, 'list', 'list keys, oldest first').action((options: CommonOptions) =>
    withKeys(options, async (store, json) => {
      const records = await store.list();
      print(json, { keys: records }, () =>
        records.length === 0
          ? 'No keys yet. Create one with: keystead keys create'
          : table([['Key', 'Name', 'Created', 'Daily credits', 'Status'], ...rows(records)]),
      );
    }),
  );

  addCommand(keys, 'revoke <key>', 'revoke a key').action((key: string, options: CommonOptions) =>
    withKeys(options, async (store, json) => {
      const revoked = await store.revoke(key);
      const id = keyId(key);
      print(json, { revoked, ...(revoked && { id, pins: 'kept' }) }, () =>
        revoked
          ? `Revoked. What it pinned stays stored. To release it: keystead storage unpin ${id}, or pin/rm?tenant=${id}`
          : 'No such key, or it is already revoked.',
      );
      if (!revoked) throw new ReportedFailure();
    }),
  );
}
