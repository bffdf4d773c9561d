import { type Command, Option } from 'commander';

import { Meter } from '../chain/credits/meter';
import { openLedger } from '../chain/credits/open';
import { type Prices, priceList } from '../chain/credits/prices';
import { type CreatedKey, keyId, type KeyRecord, type KeyStore, lasts } from '../keys';
import type { KeyLimits } from '../keys/limits';
import { wereLost } from '../keys/lost';
import { openKeys, openUse } from '../keys/open';
import { reportOf } from '../keys/use-report';
import { CommandError } from '../storage/errors';
import { table } from '../runtime/table';
import { addCommand, print, ReportedFailure, settings, type CommonOptions } from './command';
import type { ServiceConfig } from './config';
import { makeDataDir } from './data-dir';
import { type UsageOfKey, usageText } from './key-usage';
import {
  addLimitOptions,
  dailyCredits,
  duration,
  keyName,
  limitsIn,
  limitsText,
  type LimitOptions,
  type NO_LIMIT,
  valueOf,
} from './key-options';
import { mustNotHaveLostKeys } from './lost-keys';

type KeyOptions = CommonOptions & LimitOptions & { name?: string; credits?: number | typeof NO_LIMIT };

/** What the commands on keys use. */
type Use = { keys: KeyStore; json: boolean; prices: Prices; config: ServiceConfig; dataDir: string };

/** Opens the key store for the duration of one command. */
async function withKeys(options: CommonOptions, use: (context: Use) => Promise<void>): Promise<void> {
  const { config, dataDir, json } = settings(options);
  if (config.ledger === 'sqlite') makeDataDir(dataDir);
  const keys = await openKeys(config, dataDir.path, () => undefined);
  try {
    await use({ keys, json, prices: priceList(config.credits), config, dataDir: dataDir.path });
  } finally {
    await keys.close();
  }
}

function statusOf({ revokedAt, endsAt }: KeyRecord): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  if (endsAt === undefined) return 'active';
  return `${lasts({ endsAt }) ? 'active until' : 'ended'} ${new Date(endsAt).toISOString()}`;
}

function rows(records: readonly KeyRecord[]): string[][] {
  return records.map((record) => [
    record.key,
    record.name,
    record.createdAt.toISOString(),
    record.dailyCredits === undefined ? 'default' : String(record.dailyCredits),
    statusOf(record),
    limitsText(record.limits),
  ]);
}

/** The dearest method and the price of most others. */
const LOOKUP = 'eth_getUncleByBlockHashAndIndex';
const CALL = 'eth_call';

/** @returns What the credits of a day buy. */
function worthOf(credits: number, { of }: Prices): string {
  const bought = (method: string) => (of(method) === 0 ? 'any number of' : Math.floor(credits / of(method)));
  return `${credits} a day: ${bought(LOOKUP)} uncle look-ups (${of(LOOKUP)} each) or ${bought(CALL)} calls (${of(CALL)} each)`;
}

function printCreated({ key, secret, identity }: CreatedKey, { json, prices }: Use): void {
  const credits = identity.dailyCredits ?? prices.daily;
  print(json, { key, secret }, () =>
    table([
      ['Key', key],
      ['Secret', secret],
      ['Credits', worthOf(credits, prices)],
    ]),
  );
  if (credits < prices.of(LOOKUP))
    process.stderr.write(
      `warning: one uncle look-up costs ${prices.of(LOOKUP)} credits, and this key has ${credits} a day\n`,
    );
}

const ignore = () => undefined;

const noSuchKey = () => new CommandError('there is no such key, or it is revoked or has ended');

async function create(options: KeyOptions): Promise<void> {
  await withKeys(options, async (use) => {
    const { limits, endsAt } = limitsIn(options, use.config);
    await mustNotHaveLostKeys(use.config, use.dataDir, use.keys);
    const given = Object.entries(limits ?? {}).filter(([, value]) => value !== null);
    const created = await use.keys.create({
      name: options.name ?? '',
      dailyCredits: valueOf(options.credits) ?? undefined,
      limits: given.length === 0 ? undefined : (Object.fromEntries(given) as KeyLimits),
      endsAt: endsAt ?? undefined,
    });
    await wereLost(use.keys, use.dataDir, use.config.ledger);
    printCreated(created, use);
  });
}

async function edit(key: string, options: KeyOptions): Promise<void> {
  await withKeys(options, async ({ keys, json, config }) => {
    const change = { name: options.name, dailyCredits: valueOf(options.credits), ...limitsIn(options, config) };
    const record = await keys.edit(key, change);
    if (record === undefined) throw noSuchKey();
    print(json, record, () => table([HEAD, ...rows([record])]));
  });
}

async function rotate(key: string, options: CommonOptions & { newKey?: true; keep: number }): Promise<void> {
  await withKeys(options, async (use) => {
    const until = Date.now() + options.keep;
    const what = options.newKey === true ? 'key' : 'secret';
    const created = await use.keys.rotate(key, what, until);
    if (created === undefined) throw noSuchKey();
    const { secret } = created;
    print(use.json, { key: created.key, secret, oldEndsAt: new Date(until) }, () =>
      table([
        ['Key', created.key],
        ['Secret', secret],
        [`The old ${what} ends`, new Date(until).toISOString()],
      ]),
    );
  });
}

/** Opens the ledger and the counts, and reports on one key or on all that are not revoked. */
async function usage(key: string | undefined, options: CommonOptions): Promise<void> {
  await withKeys(options, async ({ keys, json, prices, config }) => {
    const records = (await keys.list(() => undefined)).filter((record) =>
      key === undefined ? record.revokedAt === undefined : record.key === key,
    );
    if (key !== undefined && records.length === 0) throw new CommandError('there is no such key');
    const dataDir = settings(options).dataDir.path;
    const [ledger, use] = [await openLedger(config, dataDir, ignore), await openUse(config, dataDir, ignore)];
    try {
      const meter = new Meter(ledger, prices);
      const reports: UsageOfKey[] = [];
      // A key that was rotated shares its use with the one that replaced it: it is shown once, under the newest.
      for (const record of new Map(records.map((each) => [each.id, each])).values())
        reports.push({
          key: record.key,
          name: record.name,
          ...reportOf(await use.read(record.id), await meter.balance(record)),
        });
      print(json, key === undefined ? { keys: reports } : reports[0], () => usageText(reports, key !== undefined));
    } finally {
      await use.close();
      await ledger.close();
    }
  });
}

const HEAD = ['Key', 'Name', 'Created', 'Daily credits', 'Status', 'Limits'];

/** `keys create`, `keys edit`, `keys rotate`, `keys list`, `keys usage`, `keys revoke`. */
export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('API keys');
  const withSettings = (command: Command) =>
    addLimitOptions(
      command
        .option('--name <name>', 'name of the key', keyName)
        .option('--credits <count>', 'daily credits, or default', dailyCredits),
    );

  withSettings(addCommand(keys, 'create', 'create a key and its secret; the secret is shown only once')).action(create);

  withSettings(
    addCommand(keys, 'edit <key>', 'change what a key may do; what is not named stays, and any takes a limit away'),
  ).action(edit);

  addCommand(keys, 'rotate <key>', 'give a key a new secret; its limits, pins and use stay')
    .option('--new-key', 'replace the key, too')
    .addOption(
      new Option('--keep <duration>', 'how long the old one goes on, such as 30m, 24h or 7d')
        .argParser(duration)
        .default(duration('24h'), '24h'),
    )
    .action(rotate);

  addCommand(keys, 'list', 'list keys, oldest first').action((options: CommonOptions) =>
    withKeys(options, async ({ keys: store, json }) => {
      const unreadable: string[] = [];
      const records = await store.list((id) => unreadable.push(id));
      for (const id of unreadable)
        process.stderr.write(`warning: the record of the key with ID ${id} cannot be read, so that key is refused\n`);
      print(json, { keys: records, ...(unreadable.length > 0 && { unreadable }) }, () =>
        records.length === 0 ? 'No keys yet. Create one with: keystead keys create' : table([HEAD, ...rows(records)]),
      );
    }),
  );

  addCommand(keys, 'usage [key]', 'what a key, or each key, has used today and in the last thirty days').action(usage);

  addCommand(keys, 'revoke <key>', 'revoke a key').action((key: string, options: CommonOptions) =>
    withKeys(options, async ({ keys: store, json }) => {
      const revoked = await store.revoke(key);
      const id = (await store.list(() => undefined)).find((record) => record.key === key)?.id ?? keyId(key);
      print(json, { revoked, ...(revoked && { id, pins: 'kept' }) }, () =>
        revoked
          ? `Revoked. What it pinned stays stored. To release it: keystead storage unpin ${id}, or pin/rm?tenant=${id}`
          : 'No such key, or it is already revoked.',
      );
      if (!revoked) throw new ReportedFailure();
    }),
  );
}
