import { DamagedAccountError, UnauthorizedError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type AccountEntry } from '../account/account';
import { type AccountDeps } from '../account/deps';
import { type Consent } from '../wallet/dialogs';
import { type Permission, type PermissionRepository } from './repository';

/** A connected site and its permitted accounts, at least one. */
export type Site = {
  readonly origin: string;
  readonly permission: Permission;
  readonly accounts: readonly [AccountEntry, ...AccountEntry[]];
};

/** The dependencies of connecting sites, and of what connected sites may do. */
export type SiteDeps = AccountDeps & {
  readonly permissions: PermissionRepository;
  /** The origins of companion pages. Empty in a production build. */
  readonly companions: readonly string[];
};

const NOT_CONNECTED = 'origin: this site is not connected, or not to this account. Call eth_requestAccounts first';

/** The error is the same for every account that the site may not use, so it does not reveal which accounts exist. */
export const notConnected = (): UnauthorizedError => new UnauthorizedError(NOT_CONNECTED);

async function permittedAccounts(
  { accounts: ids }: Permission,
  { accounts }: Pick<SiteDeps, 'accounts'>,
): Promise<AccountEntry[]> {
  const found = await Promise.all(
    ids.map((id) =>
      accounts.entry(id).catch((error: unknown) => {
        if (error instanceof DamagedAccountError) return undefined;
        throw error;
      }),
    ),
  );
  // An unannounced account may be one whose deletion was interrupted, so no site may use it.
  return found.flatMap((entry) => (entry?.announced === true ? [entry] : []));
}

/** @returns The accounts that a site may use, in order; empty if it is not connected. */
export async function accountsOf(
  origin: string,
  deps: Pick<SiteDeps, 'accounts' | 'permissions'>,
): Promise<AccountEntry[]> {
  const permission = await deps.permissions.find(origin);
  return permission === undefined ? [] : permittedAccounts(permission, deps);
}

/** @throws {UnauthorizedError} If the site is not connected. */
export async function siteOf(origin: string, deps: Pick<SiteDeps, 'accounts' | 'permissions'>): Promise<Site> {
  const permission = await deps.permissions.find(origin);
  const [first, ...others] = permission === undefined ? [] : await permittedAccounts(permission, deps);
  if (permission === undefined || first === undefined) throw notConnected();
  return { origin, permission, accounts: [first, ...others] };
}

/** @throws {UnauthorizedError} If the site may use no account with this address. */
export function accountAt(address: Hex, { accounts }: Site): AccountEntry {
  const entry = accounts.find(({ account }) => isSameAddress(account.address, address));
  if (entry === undefined) throw notConnected();
  return entry;
}

/**
 * Asks the user on behalf of a site, then checks again that the site may use the account. While the dialog was open,
 * the account may have been deleted or the site disconnected.
 *
 * @param consent - Asks the user. Default: the wallet's dialog.
 */
export const consentFor =
  (
    { origin }: Site,
    { account: { id } }: AccountEntry,
    deps: Pick<SiteDeps, 'accounts' | 'consent' | 'permissions'>,
    consent = deps.consent,
  ): Consent =>
  async (content) => {
    await consent(content);
    const still = await siteOf(origin, deps);
    if (!still.accounts.some(({ account }) => account.id === id)) throw notConnected();
  };

/** How the user is asked about calls that a site sends from an account. */
export const askingFor = (
  site: Site,
  entry: AccountEntry,
  deps: Pick<SiteDeps, 'accounts' | 'companions' | 'consent' | 'permissions'>,
) => ({
  origin: site.origin,
  isOwnPage: deps.companions.includes(site.origin),
  consent: consentFor(site, entry, deps),
});
