import { ProviderError } from '../../core/errors';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type AccountEntry, isSmart } from '../accounts/account';
import { type ChainRepository } from '../networks/repository';
import { accountsOf, type Site, type SiteDeps } from './site';

type Chains = { readonly chains: ChainRepository };

/** Whether an account is on a chain. An externally owned account is on every chain, and on none (''). */
export const isOn = (stored: AccountEntry, chain: ChainName | ''): boolean =>
  !isSmart(stored) || (stored.account.scopes as readonly string[]).includes(chain);

/**
 * The chain of a site that has chosen none: the first that is set up and that its first account is on.
 *
 * @param first - The account; undefined for a site that is not connected.
 */
export async function defaultChain(
  { chains }: Chains,
  first: AccountEntry | undefined,
): Promise<ChainName | undefined> {
  const names = (await chains.list()).map(({ chainId }) => chainId);
  return names.find((name) => first !== undefined && isOn(first, name)) ?? names[0];
}

/**
 * The chain that a site is on.
 *
 * @throws {ProviderError} 4900 if no chain is set up at all.
 */
export async function chainNameOfSite(origin: string, deps: Chains & SiteDeps): Promise<ChainName> {
  const name =
    (await deps.permissions.find(origin))?.chainId ?? (await defaultChain(deps, (await accountsOf(origin, deps))[0]));
  if (name === undefined)
    throw new ProviderError(
      'disconnected',
      'No chain is set up in Keystead (keystead_setChain), so there is no node to ask.',
    );
  return name;
}

/**
 * How the chain that a site is on is set up.
 *
 * @throws {ProviderError} 4900 if no chain is set up, 4901 if not this one any more.
 */
export async function chainOfSite({ origin }: Site, deps: Chains & SiteDeps): Promise<ChainConfiguration> {
  const name = await chainNameOfSite(origin, deps);
  const configuration = await deps.chains.find(chainIdOf(name));
  if (configuration === undefined)
    throw new ProviderError(
      'chain-disconnected',
      `${name}, the chain of this site, is not set up in Keystead any more.`,
    );
  return configuration;
}

/** The chain of a request that needs no node: '' where no chain is set up. */
export const scopeOfSite = async ({ permission, accounts }: Site, deps: Chains): Promise<ChainName | ''> =>
  permission.chainId ?? (await defaultChain(deps, accounts[0])) ?? '';
