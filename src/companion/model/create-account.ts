import { type KeyringAccount } from '@metamask/keyring-api';

import { ACCOUNT_VERSIONS } from '../../core/erc4337/entry-points';
import { type SnapClient } from './snap-client';

/**
 * A kind of account, as the form's values name it: `eoa`, `safe-0.7`, or the entry point version of a SimpleAccount.
 */
type Kind = { readonly value: string; readonly title: string; readonly hint: string };

/** The kinds that fit nearly everybody, the recommended one first. */
export const COMMON_KINDS: readonly Kind[] = [
  {
    value: 'safe-0.7',
    title: 'Safe',
    hint: 'A smart account: one approval for several transfers, and a paymaster can pay the fees. It is created on one network.',
  },
  {
    value: 'eoa',
    title: 'Standard account',
    hint: 'The kind of account that every wallet has. It works on all networks and pays its own fees.',
  },
];

/** SimpleAccounts, which cannot sign messages. */
export const OTHER_KINDS: readonly Kind[] = ACCOUNT_VERSIONS.map((version) => ({
  value: version,
  title: `Smart account, entry point ${version}`,
  hint: version === '0.7' ? 'SimpleAccount. Most bundlers support this version.' : 'SimpleAccount.',
}));

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
  options: Record<string, string>,
  label: string,
): Promise<KeyringAccount> {
  const named = { ...options, ...(label !== '' && { label }) };
  const account = await client.keyring<KeyringAccount>('keyring_createAccount', { options: named });
  // An account that the wallet already has keeps its name until it is given another one.
  if (label === '' || account.options.label === label) return account;
  const renamed = { ...account, options: { ...account.options, label } };
  await client.keyring('keyring_updateAccount', { account: renamed });
  return renamed;
}
