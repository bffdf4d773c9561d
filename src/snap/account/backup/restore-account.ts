import type { KeyringAccount } from '@metamask/keyring-api';

import { type KindName, KINDS } from '../../../core/kinds';
import { InvalidParamsError, NotFoundError } from '../../../core/errors';
import { isSameAddress } from '../../../core/eth/address';
import { newEoa, type StoredAccount } from '../account';
import { addAccount } from '../add-account';
import { type AccountDeps } from '../deps';
import { SAFE_KIND } from '../alarmed';
import { addressOfKey } from '../keys';
import { newSmartAccount } from '../smart-account';
import { creationOf } from '../creation';
import { type Entropy } from '../../wallet/client';
import { type ChainName } from '../../../core/schemas/chain';
import { type BackedUpAccount } from './content';

const isKindName = (name: string): name is KindName => Object.hasOwn(KINDS, name);

/**
 * Computes the account from its key and parameters, regardless of the address in the backup, unless a recovery gave it
 * to the key.
 */
async function made({ address, key, smart }: BackedUpAccount, entropy: Entropy): Promise<StoredAccount> {
  if (smart === undefined) return newEoa(await addressOfKey({ source: key, purpose: 'eip155:eoa' }, entropy), key);
  const { kind, factory, salt, scopes, isRecovered } = smart;
  if (!isKindName(kind)) throw new InvalidParamsError('kind', 'must be a kind that this version of Keystead supports');
  const recovered = isRecovered === true && kind === SAFE_KIND ? address : undefined;
  return newSmartAccount({ kind, key, salt: BigInt(salt), factory, recovered }, scopes as ChainName[], entropy);
}

/** @returns The account with a label, if there is one. */
export const named = <Stored extends StoredAccount>(stored: Stored, label: string | undefined): Stored =>
  label === undefined
    ? stored
    : { ...stored, account: { ...stored.account, options: { ...stored.account.options, label } } };

/**
 * Adds an account from a backup, as a creation would. An existing account only gets the chains it lacks.
 *
 * @throws {KeysteadError} Says why the account is not restored.
 */
export async function restoreAccount(
  entry: BackedUpAccount,
  deps: Pick<AccountDeps, 'accounts' | 'creations' | 'deleting' | 'entropy' | 'events' | 'mutations'>,
): Promise<KeyringAccount> {
  const fresh = named(await made(entry, deps.entropy), entry.label);
  if (!isSameAddress(fresh.account.address, entry.address))
    throw new InvalidParamsError('address', 'must be the address of the key in the backup');
  if (deps.deleting.has(fresh.account.id)) throw new NotFoundError('account: it is being deleted; try again');
  return addAccount(() => creationOf(fresh, deps), deps);
}
