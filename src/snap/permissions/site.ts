import { DamagedAccountError, UnauthorizedError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type AccountEntry } from '../accounts/account';
import { type Visit } from '../rpc/deps';
import { type Grant } from './repository';

/** A request of a page that is connected, with the accounts that the person gave it, at least one. */
export type Site = Visit & { readonly grant: Grant; readonly granted: readonly [AccountEntry, ...AccountEntry[]] };

const NOT_CONNECTED =
  'origin: this site is not connected, or not to this account. It must call eth_requestAccounts first';

/** One and the same for every account that the site may not use, whether there is such an account or not. */
export const notConnected = (): UnauthorizedError => new UnauthorizedError(NOT_CONNECTED);

async function readAccounts({ accounts }: Visit, { accounts: ids }: Grant): Promise<AccountEntry[]> {
  const found = await Promise.all(
    ids.map((id) =>
      accounts.entry(id).catch((error: unknown) => {
        if (error instanceof DamagedAccountError) return undefined;
        throw error;
      }),
    ),
  );
  // One that the wallet does not know, or no longer, is nobody's to use: its deletion may have been cut short.
  return found.flatMap((stored) => (stored?.announced === true ? [stored] : []));
}

/** @returns The accounts that the site may use, in order; none if it is not connected. */
export async function accountsOf(visit: Visit): Promise<AccountEntry[]> {
  const grant = await visit.grants.find(visit.origin);
  return grant === undefined ? [] : readAccounts(visit, grant);
}

/** @throws {UnauthorizedError} If the site is not connected. */
export async function siteOf(visit: Visit): Promise<Site> {
  const grant = await visit.grants.find(visit.origin);
  const [first, ...others] = grant === undefined ? [] : await readAccounts(visit, grant);
  if (grant === undefined || first === undefined) throw notConnected();
  return { ...visit, grant, granted: [first, ...others] };
}

/** @throws {UnauthorizedError} If the address is none of an account that the site may use. */
export function accountAt(address: Hex, { granted }: Site): AccountEntry {
  const stored = granted.find(({ account }) => isSameAddress(account.address, address));
  if (stored === undefined) throw notConnected();
  return stored;
}

/**
 * The dialog of a site, and after it once more whether the site may use the account: while it was open the
 * account may have been deleted, or the site disconnected.
 */
export const consentFor =
  (site: Site, { account: { id } }: AccountEntry): Visit['consent'] =>
  async (content) => {
    await site.consent(content);
    const still = await siteOf(site);
    if (!still.granted.some(({ account }) => account.id === id)) throw notConnected();
  };
