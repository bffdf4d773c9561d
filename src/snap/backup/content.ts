import { type ChainRepository } from '../networks/repository';
import { BackupUnreadableError, InvalidParamsError } from '../../core/errors';
import { isSmart, KeySourceStruct, type StoredAccount } from '../accounts/account';
import { LabelStruct } from '../accounts/update-account';
import { AddressStruct } from '../../core/schemas/address';
import { ChainNameStruct } from '../../core/schemas/chain';
import {
  type ChainConfiguration,
  ChainConfigurationStruct,
  toChainConfiguration,
} from '../../core/schemas/chain-configuration';
import { Uint256Struct } from '../../core/schemas/hex';
import { array, exactOptional, type Infer, integer, object, parse, string, unknown } from '../../core/schemas/struct';

/** An account in a backup: where its key comes from, and what cannot be told from the key. */
const BackedUpAccountStruct = object({
  /** Told from the rest when it is restored; if it comes out as another one, the account is not restored. */
  address: AddressStruct,
  key: KeySourceStruct,
  label: exactOptional(LabelStruct),
  /** Of a smart account. Its kind may be one that a later version brought. */
  smart: exactOptional(
    object({ kind: string(), factory: AddressStruct, salt: Uint256Struct, scopes: array(ChainNameStruct) }),
  ),
});
export type BackedUpAccount = Infer<typeof BackedUpAccountStruct>;

/** Each account and chain is looked at by itself: one that this version cannot read does not keep the others out. */
const ContentStruct = object({
  /** Seconds since 1970. */
  createdAt: integer(0),
  accounts: array(unknown()),
  chains: array(unknown()),
});

/** Something in a backup that is not restored: an address, a chain or a place in the backup, and why. */
export type Skipped = { readonly what: string; readonly reason: string };

/** What a backup holds. */
export type BackupContent = {
  readonly createdAt: number;
  readonly accounts: readonly BackedUpAccount[];
  readonly chains: readonly ChainConfiguration[];
};

function entryOf(stored: StoredAccount): BackedUpAccount {
  const { account, key } = stored;
  const { label } = account.options;
  return {
    address: account.address,
    key,
    // One that is damaged would keep the whole account from being restored.
    ...(LabelStruct.is(label) && { label }),
    ...(isSmart(stored) && {
      smart: {
        kind: stored.smart.kind,
        factory: stored.smart.factory,
        salt: stored.smart.salt,
        scopes: stored.account.scopes,
      },
    }),
  } as BackedUpAccount;
}

/** @returns What is to be backed up, as it is stored now. */
export async function contentNow(
  accounts: readonly StoredAccount[],
  chains: ChainRepository,
  createdAt: number,
): Promise<BackupContent> {
  return { createdAt, accounts: accounts.map(entryOf), chains: await chains.list() };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param text - What came out of a backup.
 * @returns Its content, and the places of those accounts and chains that this version cannot read. Of chains it takes
 * what `keystead_setChain` takes.
 * @throws {BackupUnreadableError} If it is not the content of a backup at all.
 */
export function readContent(text: string): BackupContent & { readonly unread: readonly Skipped[] } {
  const content = parsed(text);
  if (!ContentStruct.is(content))
    throw new BackupUnreadableError(
      'version',
      'The content of the backup is not one that this Keystead can read. Nothing was changed.',
    );
  const unread: Skipped[] = [];
  const readable =
    <T>(read: (entry: unknown, place: string) => T, list: string) =>
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
  return {
    createdAt: content.createdAt,
    accounts: content.accounts.flatMap(
      readable((entry, place) => parse(BackedUpAccountStruct, entry, place), 'accounts'),
    ),
    chains: content.chains.flatMap(
      readable((entry, place) => toChainConfiguration(parse(ChainConfigurationStruct, entry, place), place), 'chains'),
    ),
    unread,
  };
}
