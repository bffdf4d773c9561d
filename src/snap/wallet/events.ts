import type { EthEoaAccount, EthErc4337Account, KeyringEvent } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { WalletRefusedError } from '../../core/errors';

/** The names of the events. Importing them from the package would also bundle the structs of all events. */
const CREATED: `${KeyringEvent.AccountCreated}` = 'notify:accountCreated';
const UPDATED: `${KeyringEvent.AccountUpdated}` = 'notify:accountUpdated';
const DELETED: `${KeyringEvent.AccountDeleted}` = 'notify:accountDeleted';

async function emit(method: `${KeyringEvent}`, params: Record<string, Json>): Promise<void> {
  await snap.request({ method: 'snap_manageAccounts', params: { method, params } });
}

type Account = EthEoaAccount | EthErc4337Account;

/**
 * Notifies MetaMask of account changes (keyring API v1). MetaMask knows only announced accounts, and may reject them.
 */
export type AccountEvents = {
  /** @param correlationId - MetaMask's id for the request. It is returned with the event and not stored. */
  readonly created: (account: Account, name: string, correlationId?: string) => Promise<void>;
  readonly updated: (account: Account) => Promise<void>;
  readonly deleted: (id: string) => Promise<void>;
};

/** The runtime's errors are not instances of this realm's Error and may have any form. */
function reasonOf(error: unknown): string {
  const { message } = Object(error) as Partial<Error>;
  return typeof message === 'string' && message !== '' ? message : 'it gave no reason';
}

/** @throws {WalletRefusedError} With MetaMask's reason, which concerns accounts and is therefore public. */
async function orRefused(event: Promise<void>, doing: string): Promise<void> {
  try {
    await event;
  } catch (error) {
    throw new WalletRefusedError(`The wallet did not ${doing} the account: ${reasonOf(error)}`);
  }
}

export const snapAccountEvents: AccountEvents = {
  created: (account, name, correlationId) =>
    orRefused(
      emit(CREATED, {
        account,
        accountNameSuggestion: name,
        ...(correlationId !== undefined && { metamask: { correlationId } }),
      }),
      'add',
    ),
  updated: (account) => orRefused(emit(UPDATED, { account }), 'update'),
  deleted: (id) => orRefused(emit(DELETED, { id }), 'remove'),
};
