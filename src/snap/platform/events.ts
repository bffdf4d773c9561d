import type { EthEoaAccount, EthErc4337Account, KeyringEvent } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { WalletRefusedError } from '../../core/errors';

/** The names of the events. From the package, they would bring the structs of all events along. */
const CREATED: `${KeyringEvent.AccountCreated}` = 'notify:accountCreated';
const UPDATED: `${KeyringEvent.AccountUpdated}` = 'notify:accountUpdated';
const DELETED: `${KeyringEvent.AccountDeleted}` = 'notify:accountDeleted';

async function emit(method: `${KeyringEvent}`, params: Record<string, Json>): Promise<void> {
  await snap.request({ method: 'snap_manageAccounts', params: { method, params } });
}

type Account = EthEoaAccount | EthErc4337Account;

/** How the wallet learns of accounts (keyring API v1): it knows only those it was told of, and may refuse. */
export type AccountEvents = {
  /** @param correlationId - What MetaMask sent with the request, to be sent back and not kept. */
  readonly created: (account: Account, name: string, correlationId?: string) => Promise<void>;
  readonly updated: (account: Account) => Promise<void>;
  readonly deleted: (id: string) => Promise<void>;
};

/** What the runtime rejects with is no instance of this realm's Error, and need not be like one. */
function reasonOf(error: unknown): string {
  const { message } = Object(error) as Partial<Error>;
  return typeof message === 'string' && message !== '' ? message : 'it gave no reason';
}

/** @throws {WalletRefusedError} With the wallet's reason: it speaks of accounts, which are public. */
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
