import { type KeyringAccount } from '@metamask/keyring-api';

import { displayedNames, type Named } from '../../core/accounts/account-name';
import { choiceOf, METAMASK_FAILS } from '../../core/accounts/choices';
import { entryOf } from '../../core/decode/metadata/contract-metadata';
import { type KindName, KINDS } from '../../core/kinds';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type Account } from './types';

type AccountParts = Pick<KeyringAccount, 'type' | 'address' | 'options'>;

/** @returns Whether the account was imported: the recovery phrase does not restore it. */
export const isImported = ({ options }: Pick<AccountParts, 'options'>): boolean =>
  (options.entropy as { type?: string } | undefined)?.type === 'private-key';

export const isSmart = ({ type }: Pick<AccountParts, 'type'>): boolean => type === 'eip155:erc4337';

/** @returns Whether the account is a Safe, which can have several owners. */
export const isSafe = ({ options }: Pick<AccountParts, 'options'>): boolean => String(options.kind).startsWith('safe-');

/** @returns The Safes that follow from the recovery phrase. Their keys can become the owners of recovered Safes. */
export const safesOfPhrase = (accounts: readonly Account[]): readonly Account[] =>
  accounts.filter((account) => isSafe(account) && !isImported(account) && account.options.isRecovered !== true);

/** @returns The account of this wallet's phrase whose key is one of some owners, if there is one. */
export const keyAmong = (owners: readonly Hex[], accounts: readonly Account[]): Account | undefined =>
  safesOfPhrase(accounts).find(({ options: { owner } }) => owners.some((one) => isSameAddress(one, String(owner))));

/** @returns Whether the address of a smart account follows from its kind and the index of its owner's key alone. */
function isUsual({ address, options: { kind, owner, index } }: AccountParts): boolean {
  const known = entryOf(KINDS, String(kind));
  if (known === undefined || typeof owner !== 'string' || typeof index !== 'number') return false;
  return isSameAddress(address, known.address({ factory: known.factory, owner: owner as Hex, salt: BigInt(index) }));
}

/** @returns What determines the name of an account, according to what Keystead tells the wallet and this page. */
function namedBy(account: AccountParts): Named {
  const { address, options } = account;
  return {
    address,
    key: isImported(account) ? { source: 'imported' } : { source: 'derived', index: Number(options.index) },
    label: options.label,
    smart: isSmart(account) ? { kind: String(options.kind), isUsual: isUsual(account) } : undefined,
  };
}

/** @returns The accounts with the names that they have on Keystead's own screens. */
export function withNames(accounts: readonly KeyringAccount[]): readonly Account[] {
  const names = displayedNames(accounts.map(namedBy));
  return accounts.map((account, at) => ({ ...account, name: names[at] ?? '' }));
}

/** @returns What an account of this kind cannot do, and how that shows. */
export function limitsOf(account: AccountParts): string {
  if (!isSmart(account)) return choiceOf('eoa').limits;
  const { limits } = choiceOf(account.options.kind as KindName);
  return isSafe(account) ? `${limits} ${METAMASK_FAILS}` : limits;
}

/** @returns What kind of account it is, for a line below its name. */
export function accountKind(account: AccountParts): string {
  const what = isSafe(account) ? 'Safe' : `SimpleAccount ${String(account.options.entryPointVersion)}`;
  const kind = isSmart(account) ? what : 'Standard account';
  return isImported(account) ? `${kind}, imported` : kind;
}

/** @returns The first and last digits of an address or a hash, as the snap's screens have them. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
