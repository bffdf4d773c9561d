import { type CreationDeps } from '../deps';
import type { KeyringAccount } from '@metamask/keyring-api';

import { BackupUnreadableError, InternalError, KeysteadError, StateError } from '../../../core/errors';
import { shortened } from '../../../core/decode/words/text';
import { utcTime } from '../../../core/decode/words/time';
import { displayedNames } from '../../../core/accounts/account-name';
import { namedBy } from '../account-name';
import { changeAccount } from '../change-account';
import { type Hex } from '../../../core/eth/bytes';
import { type Restored, type Skipped } from '../../../core/methods/results';
import { PAGE, restorePages, RestoreScreen } from '../../screens/restore';
import { chainIdOf } from '../../../core/schemas/chain';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { type Infer, literal, object, parse, rule, string, type } from '../../../core/structs/struct';
import { bytesOfBase64 } from '../../../core/eth/base64';
import { type BackupContent, readContent } from './content';
import { type BackupDeps } from './deps';
import { idOf, planOf, type RestorePlan } from './plan';
import { CidStruct } from './repository';
import { named, restoreAccount } from './restore-account';
import { MAX_BACKUP_BYTES, unseal } from './seal';
import { withBackupSecret } from './secret';
import { storageServiceOf } from './storage-service';

/** Base64 of at most the size of a backup. */
const FileStruct = rule<string>(
  `must be a backup in base64, of at most ${MAX_BACKUP_BYTES} bytes`,
  (value) =>
    typeof value === 'string' &&
    value.length <= Math.ceil(MAX_BACKUP_BYTES / 3) * 4 &&
    value.length % 4 === 0 &&
    // A repetition over millions of characters would exhaust the stack of the regular expression.
    !/[^A-Za-z0-9+/]/u.test(value.slice(0, -2)) &&
    /^(?:[A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==)?$/u.test(value.slice(-2)),
);

const ByCidStruct = object({ cid: CidStruct });
const ByFileStruct = object({ file: FileStruct });

/** @returns The parameters: an address of a backup, unless there is a file. */
function parseRestore(params: unknown): Infer<typeof ByCidStruct> | Infer<typeof ByFileStruct> {
  const hasFile = typeof params === 'object' && params !== null && 'file' in params;
  return hasFile ? parse(ByFileStruct, params, 'params') : parse(ByCidStruct, params, 'params');
}

/** The maximum number of characters with which an error lists what was added. */
const MAX_ADDED = 2000;

/** The source of a backup, for the screen. */
type Source = { readonly cid: string; readonly url: string } | undefined;

async function readBackup(
  params: ReturnType<typeof parseRestore>,
  { entropy, storage }: Pick<BackupDeps, 'entropy' | 'storage'>,
): Promise<{ readonly source: Source; readonly size: number; readonly content: ReturnType<typeof readContent> }> {
  const read = async () => {
    if ('file' in params) return { file: bytesOfBase64(params.file), source: undefined };
    const { service, url } = await storageServiceOf(storage);
    return { file: await service.read(params.cid), source: { cid: params.cid, url } };
  };
  const { file, source } = await read();
  if (file.length > MAX_BACKUP_BYTES)
    throw new BackupUnreadableError('not-a-backup', 'The file is too large for a backup. Nothing was changed.');
  const text = await withBackupSecret(entropy, (secret) => unseal(file, secret));
  return { source, size: file.length, content: readContent(text) };
}

async function restoreChain(
  configuration: ChainConfiguration,
  { chains, mutations }: Pick<BackupDeps, 'chains' | 'mutations'>,
): Promise<void> {
  await mutations.runExclusive(async () => {
    const stored = await chains.look(chainIdOf(configuration.chainId));
    if (typeof stored !== 'object') await chains.put(configuration);
  });
}

/**
 * A rejected account does not affect the others. If the state cannot be written, the restore stops.
 *
 * @param added - Collects the names of what is added.
 */
async function restorePlan(
  plan: RestorePlan,
  added: string[],
  deps: CreationDeps & Pick<BackupDeps, 'contacts' | 'now' | 'signed' | 'tokens'>,
): Promise<Skipped[]> {
  const { accounts, chains, contacts, renamed, signed, tokens } = plan;
  const skipped: Skipped[] = [];
  for (const configuration of chains) {
    await restoreChain(configuration, deps);
    added.push(configuration.chainId);
  }
  if (contacts.length > 0) await deps.contacts.put(contacts);
  for (const { chainId, address, ...token } of tokens) await deps.tokens.put(chainId, address, token);
  if (signed.length > 0) await deps.signed.add(signed, deps.now());
  const unlessRefused = async (address: Hex, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      added.push(address);
    } catch (error) {
      const stops = !(error instanceof KeysteadError) || error instanceof StateError || error instanceof InternalError;
      if (stops) throw error;
      skipped.push({ what: address, reason: error.message });
    }
  };
  for (const entry of accounts) await unlessRefused(entry.address, () => restoreAccount(entry, deps));
  for (const { address, id, name } of renamed)
    await unlessRefused(address, () => changeAccount(id, (stored) => named(stored, name), deps));
  return skipped;
}

async function accountsNow({ accounts }: BackupContent, deps: Pick<BackupDeps, 'accounts'>): Promise<KeyringAccount[]> {
  const ids = new Set(accounts.map(idOf));
  return (await deps.accounts.entries()).flatMap(({ account, announced }) =>
    announced && ids.has(account.id) ? [account] : [],
  );
}

/** Records the backup if it is the first one, so that the home page shows its CID on this machine too. */
async function noteIfFirst(
  cid: string,
  size: number,
  { accounts, createdAt }: BackupContent,
  { mutations, storage }: Pick<BackupDeps, 'mutations' | 'storage'>,
): Promise<void> {
  await mutations.runExclusive(async () => {
    if ((await storage.lastBackup()) === undefined)
      await storage.noteBackup({ cid, size, accounts: accounts.length, createdAt });
  });
}

const PageButtonStruct = type({ type: literal('ButtonClickEvent'), name: string() });

/** Asks the user to agree to everything that is restored, on a dialog with pages. */
async function showPlan(
  { accounts, chains, contacts, contactNames, renamed, signed, tokens }: RestorePlan,
  skipped: readonly Skipped[],
  file: { readonly source: Source; readonly createdAt: string },
  { ask }: Pick<BackupDeps, 'ask'>,
  origin: string,
): Promise<void> {
  const names = displayedNames(accounts.map(namedBy));
  const plan = {
    accounts: accounts.map((entry, at) => ({
      address: entry.address,
      name: names[at] ?? '',
      isImported: entry.key.source === 'imported',
    })),
    chains,
    contacts: contacts.map((contact) => ({ ...contact, before: contactNames[contact.address.toLowerCase()] })),
    renamed,
    tokens,
    signed,
    skipped,
  };
  const pages = restorePages(plan);
  await ask<number>({
    initial: 0,
    draw: (page) => RestoreScreen({ ...plan, ...file, origin, pages, page }),
    change: (page, event) => {
      const wanted = PageButtonStruct.is(event) ? pages.findIndex((_, index) => event.name === `${PAGE}${index}`) : -1;
      return wanted === -1 ? page : wanted;
    },
  });
}

/**
 * `keystead_restore`: adds what is missing here of a backup after the user has agreed to it. Existing accounts and
 * networks stay unchanged but for their names, so a restore can be repeated.
 *
 * @param params - `{ cid }`, or `{ file }`: the file itself in base64, which needs no storage service.
 * @param origin - `metamask`, or the origin of a page.
 * @throws {InvalidParamsError} If the CID or the file is malformed.
 * @throws {NotFoundError} If no storage service is set up.
 * @throws {ServiceFailedError} If the service does not return the file of the CID.
 * @throws {BackupUnreadableError} If the file is not a backup, was made with another recovery phrase, is truncated or
 * modified, or has another version.
 * @throws {UserRejectedError} If the user rejects the restore. Nothing is changed then.
 * @throws {StateError} If MetaMask fails to store something; says what was added before.
 */
export async function restore(
  params: unknown,
  deps: CreationDeps & Pick<BackupDeps, 'contacts' | 'now' | 'signed' | 'storage' | 'tokens'>,
  origin: string,
): Promise<Restored> {
  const { source, size, content } = await readBackup(parseRestore(params), deps);
  const plan = await planOf(content, deps);
  const skipped = [...content.unread, ...plan.refused];
  const { accounts, chains, contacts, renamed, signed, tokens } = plan;
  if ([accounts, chains, contacts, renamed, signed, tokens].some(({ length }) => length > 0))
    await showPlan(plan, skipped, { source, createdAt: utcTime(BigInt(content.createdAt)) }, deps, origin);
  const added: string[] = [];
  try {
    const refused = await restorePlan(plan, added, deps);
    // If this fails, everything is restored anyway, and the caller knows the CID.
    if (source !== undefined) await noteIfFirst(source.cid, size, content, deps).catch(() => undefined);
    return {
      accounts: await accountsNow(content, deps),
      chains: content.chains.length - plan.refusedChains,
      skipped: [...skipped, ...refused],
    };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const names = shortened(added.join(', '), MAX_ADDED) || 'nothing';
    throw new StateError(`${error.message} Added before that: ${names}. To add the rest, restore again.`);
  }
}
