import { type KeyringAccount } from '@metamask/keyring-api';

import { COMMON_CHOICES, OTHER_CHOICES, type AccountChoice } from '../../core/accounts/choices';
import { type SnapClient } from './snap-client';

/**
 * A kind of account, as the form's values name it: `eoa`, `safe-0.7`, or the entry point version of a SimpleAccount.
 */
type Kind = Pick<AccountChoice, 'title' | 'hint' | 'limits'> & { readonly value: string };

const toKind = ({ kind, ...words }: AccountChoice): Kind => ({ ...words, value: kind.replace('simple-account-', '') });

/** The kinds that fit nearly everybody. */
export const COMMON_KINDS: readonly Kind[] = COMMON_CHOICES.map(toKind);

/** SimpleAccounts, which cannot sign messages. */
export const OTHER_KINDS: readonly Kind[] = OTHER_CHOICES.map(toKind);

/**
 * @param chainId - The network of a smart account.
 * @returns The options of `keyring_createAccount`.
 * @throws If a smart account has no network.
 */
export function optionsFor(kind: string, chainId: string | undefined): Record<string, string> {
  if (kind === 'eoa') return { type: 'eip155:eoa' };
  if (chainId === undefined || chainId === '') throw new Error('Add a network first: a smart account belongs to one.');
  return { type: 'eip155:erc4337', chainId, ...(kind.startsWith('safe-') ? { kind } : { entryPointVersion: kind }) };
}

/** Creates an account under a name, which the wallet's dialog suggests. The wallet asks first. */
export async function createAccount(
  client: SnapClient,
  options: Record<string, string | true>,
  label: string,
): Promise<KeyringAccount> {
  const named = { ...options, ...(label !== '' && { label }) };
  const account = await client.keyring('keyring_createAccount', { options: named });
  // An account that the wallet already has keeps its name until it is given another one.
  if (label === '' || account.options.label === label) return account;
  const renamed = { ...account, options: { ...account.options, label } };
  await client.keyring('keyring_updateAccount', { account: renamed });
  return renamed;
}
