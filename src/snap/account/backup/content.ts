import { type Skipped } from '../../../core/methods/results';
import { type BackupDeps } from './deps';
import { WatchedTokenStruct } from '../../network/tokens/repository';
import { ContactStruct } from '../../../core/accounts/contact';
import { visible } from '../../../core/decode/words/text';
import { BackupUnreadableError, InvalidParamsError } from '../../../core/errors';
import { isSmart, KeySourceStruct, type StoredAccount } from '../account';
import { LabelStruct } from '../options';
import { AddressStruct } from '../../../core/schemas/address';
import { isExpired } from '../../../core/ledger/signed/expiry';
import { KeptStruct } from '../../../core/ledger/signed/kept';
import { ChainNameStruct } from '../../../core/schemas/chain';
import {
  type ChainConfiguration,
  ChainConfigurationStruct,
  toChainConfiguration,
} from '../../../core/schemas/chain-configuration';
import { Uint256Struct } from '../../../core/structs/hex';
import {
  array,
  boolean,
  exactOptional,
  type Infer,
  integer,
  object,
  parse,
  string,
  type,
  unknown,
} from '../../../core/structs/struct';

/** An account in a backup: the source of its key, and what cannot be derived from the key. */
const BackedUpAccountStruct = object({
  /**
   * Recomputed from the other fields during a restore, except of a recovered account. If it differs, the account is not
   * restored.
   */
  address: AddressStruct,
  key: KeySourceStruct,
  label: exactOptional(LabelStruct),
  /** For a smart account. A later version may have added its kind. */
  smart: exactOptional(
    object({
      kind: string(),
      factory: AddressStruct,
      salt: Uint256Struct,
      scopes: array(ChainNameStruct),
      isRecovered: exactOptional(boolean()),
    }),
  ),
});
export type BackedUpAccount = Infer<typeof BackedUpAccountStruct>;

/**
 * The version of the content. A later release adds parts without a new version: this one restores those that it knows,
 * and says what it leaves out.
 */
const CONTENT_VERSION = 2;

const ListStruct = array(unknown());

/** The envelope of every version. Version 1 had no number, accounts and chains only. */
const EnvelopeStruct = type({
  version: exactOptional(integer(2)),
  /** Seconds since 1970. */
  createdAt: integer(0),
  accounts: ListStruct,
  chains: ListStruct,
});

/** The parts of a backup, each with how one of its entries is read. Chains follow the rules of `keystead_setChain`. */
const PARTS = {
  accounts: (entry: unknown, path: string) => parse(BackedUpAccountStruct, entry, path),
  chains: (entry: unknown, path: string): ChainConfiguration =>
    toChainConfiguration(parse(ChainConfigurationStruct, entry, path), path),
  contacts: (entry: unknown, path: string) => parse(ContactStruct, entry, path),
  tokens: (entry: unknown, path: string) => parse(WatchedTokenStruct, entry, path),
  signed: (entry: unknown, path: string) => parse(KeptStruct, entry, path),
};

type Parts = { readonly [Name in keyof typeof PARTS]: readonly ReturnType<(typeof PARTS)[Name]>[] };

/** The content of a backup. */
export type BackupContent = Parts & { readonly createdAt: number };

function entryOf(stored: StoredAccount): BackedUpAccount {
  const { account, key } = stored;
  const { label } = account.options;
  return {
    address: account.address,
    key,
    // A damaged label would prevent the whole account from being restored.
    ...(LabelStruct.is(label) && { label }),
    ...(isSmart(stored) && {
      smart: {
        kind: stored.smart.kind,
        factory: stored.smart.factory,
        salt: stored.smart.salt,
        scopes: stored.account.scopes,
        ...(stored.smart.isRecovered === true && { isRecovered: true }),
      },
    }),
  } as BackedUpAccount;
}

/** @returns The content to back up, from the current state. */
export async function contentNow(
  accounts: readonly StoredAccount[],
  { chains, contacts, signed, tokens }: Pick<BackupDeps, 'chains' | 'contacts' | 'signed' | 'tokens'>,
  createdAt: number,
): Promise<BackupContent> {
  const [chainsNow, contactsNow, signedNow, tokensNow] = await Promise.all([
    chains.list(),
    contacts.read(),
    signed.read(),
    tokens.read(),
  ]);
  return {
    createdAt,
    accounts: accounts.map(entryOf),
    chains: chainsNow,
    contacts: [...contactsNow],
    tokens: [...tokensNow],
    signed: signedNow.filter((one) => !isExpired(one, BigInt(createdAt))),
  };
}

/** @returns The content as text, which {@link readContent} reads. */
export const writtenContent = (content: BackupContent): string =>
  JSON.stringify({ version: CONTENT_VERSION, ...content });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses the decrypted content of a backup.
 *
 * @param text - The decrypted text.
 * @returns The content; and the parts and the positions of the entries that this version cannot read.
 * @throws {BackupUnreadableError} If the text is not the content of a backup, or of a later version.
 */
export function readContent(text: string): BackupContent & { readonly unread: readonly Skipped[] } {
  const content = parsed(text);
  const version = EnvelopeStruct.is(content) ? (content.version ?? 1) : undefined;
  if (!EnvelopeStruct.is(content) || version === undefined || version > CONTENT_VERSION)
    throw new BackupUnreadableError(
      'version',
      'This version of Keystead cannot read the content of the backup. Update Keystead, then restore again. Nothing was changed.',
    );
  const { version: _version, createdAt, ...stored } = content as Record<string, unknown> & { createdAt: number };
  const unread: Skipped[] = [];
  const readable =
    <T>(read: (entry: unknown, path: string) => T, list: string) =>
    (entry: unknown, index: number): T[] => {
      const what = `${list}[${index}]`;
      try {
        return [read(entry, what)];
      } catch (error) {
        if (!(error instanceof InvalidParamsError)) throw error;
        unread.push({ what, reason: `this version of Keystead cannot read it: ${error.message}` });
        return [];
      }
    };
  const parts = Object.entries(PARTS).map(([name, read]) => {
    const list = stored[name] ?? [];
    return [name, ListStruct.is(list) ? list.flatMap(readable<unknown>(read, name)) : []] as const;
  });
  for (const [name, part] of Object.entries(stored))
    if (!Object.hasOwn(PARTS, name) || !ListStruct.is(part))
      unread.push({ what: visible(name), reason: 'this version of Keystead cannot read this part' });
  return { createdAt, ...(Object.fromEntries(parts) as unknown as Parts), unread };
}
