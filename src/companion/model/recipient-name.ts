import { isSameAddress } from '../../core/eth/address';
import { type Contact } from './contacts';
import { passkeyTitle } from './passkey-title';
import { type Passkey } from './passkeys';
import { type Account } from './types';

/** The addresses that the page knows by name. */
export type Known = {
  readonly accounts: readonly Account[];
  readonly contacts: readonly Contact[];
  /** Where owners of Safes are named. */
  readonly passkeys?: readonly Passkey[];
};

/** @returns What the page calls an address: the name of an own account, of a contact or of a passkey. */
export function nameOf(address: string, { accounts, contacts, passkeys = [] }: Known): string | undefined {
  const named = [...accounts, ...contacts].find((one) => isSameAddress(one.address, address));
  if (named !== undefined) return named.name;
  const passkey = passkeys.find(({ signer }) => isSameAddress(signer, address));
  return passkey && passkeyTitle(passkey);
}
