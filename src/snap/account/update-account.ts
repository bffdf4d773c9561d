import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { InvalidParamsError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { parse } from '../../core/structs/struct';
import { type StoredAccount } from './account';
import { changeAccount } from './change-account';
import { type AccountDeps } from './deps';
import { LabelStruct } from './options';

/** @returns Whether two JSON values are equal, regardless of the order of members. */
function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [members, others] = [new Map(Object.entries(a)), Object.entries(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    members.size === others.length &&
    others.every(([name, value]) => sameJson(members.get(name), value))
  );
}

/** Applies the new label. All other fields must stay the same. */
function withNewLabel<Account extends StoredAccount['account']>(account: Account, wanted: KeyringAccount): Account {
  const fixed = (field: string): never => {
    throw new InvalidParamsError(`account.${field}`, 'must not change: only options.label may change');
  };
  if (wanted.type !== account.type) fixed('type');
  if (!isSameAddress(wanted.address, account.address)) fixed('address');
  if (!sameJson(wanted.scopes, account.scopes)) fixed('scopes');
  if (!sameJson(wanted.methods, account.methods)) fixed('methods');
  const { label, ...wantedRest } = wanted.options;
  const { label: oldLabel, ...rest } = account.options;
  if (!sameJson(wantedRest, rest)) fixed('options');
  if (label === undefined) return { ...account, options: rest };
  return { ...account, options: { ...rest, label: parse(LabelStruct, label, 'account.options.label') } };
}

/**
 * `keyring_updateAccount`. Only `options.label`, the account's name, may change.
 *
 * @throws {InvalidParamsError} If another field changes; names the field.
 * @throws {WalletRefusedError} If MetaMask rejects the change. It is then undone here too.
 */
export async function updateAccount(
  wanted: KeyringAccount,
  deps: Pick<AccountDeps, 'accounts' | 'events' | 'mutations'>,
): Promise<void> {
  const relabel = (stored: StoredAccount): StoredAccount =>
    ({ ...stored, account: withNewLabel(stored.account, wanted) }) as StoredAccount;
  await changeAccount(wanted.id, relabel, deps);
}
