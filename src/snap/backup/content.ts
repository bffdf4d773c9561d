import { type ChainRepository } from '../networks/repository';
import { BackupUnreadableError, InvalidParamsError } from '../../core/errors';
import { isSmart, KeySourceStruct, type StoredAccount } from '../accounts/account';
import { LabelStruct } from '../accounts/options';
import { AddressStruct } from '../../core/schemas/address';
import { ChainNameStruct } from '../../core/schemas/chain';
import {
  type ChainConfiguration,
  ChainConfigurationStruct,
  toChainConfiguration,
} from '../../core/schemas/chain-configuration';
import { Uint256Struct } from '../../core/schemas/hex';
import {
  array,
  boolean,
  exactOptional,
  type Infer,
  integer,
  object,
  parse,
  string,
  unknown,
} from '../../core/schemas/struct';

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

/** Accounts and chains are validated one by one, so an unreadable one does not affect the others. */
const ContentStruct = object({
  /** Seconds since 1970. */
  createdAt: integer(0),
  accounts: array(unknown()),
  chains: array(unknown()),
});

/** Something in a backup that is not restored (an address, a chain or a position in the backup), and why. */
export type Skipped = { readonly what: string; readonly reason: string };

/** The content of a backup. */
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
 * Parses the decrypted content of a backup.
 *
 * @param text - The decrypted text.
 * @returns The content, and the positions of the accounts and chains that this version cannot read. Chains follow the
 * rules of `keystead_setChain`.
 * @throws {BackupUnreadableError} If the text is not the content of a backup.
 */
export function readContent(text: string): BackupContent & { readonly unread: readonly Skipped[] } {
  const content = parsed(text);
  if (!ContentStruct.is(content))
    throw new BackupUnreadableError(
      'version',
      'This version of Keystead cannot read the content of the backup. Nothing was changed.',
    );
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
  return {
    createdAt: content.createdAt,
    accounts: content.accounts.flatMap(
      readable((entry, path) => parse(BackedUpAccountStruct, entry, path), 'accounts'),
    ),
    chains: content.chains.flatMap(
      readable((entry, path) => toChainConfiguration(parse(ChainConfigurationStruct, entry, path), path), 'chains'),
    ),
    unread,
  };
}
