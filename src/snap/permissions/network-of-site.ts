import { ProviderError } from '../../core/errors';
import { isSmart, type AccountEntry } from '../accounts/account';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { accountsOf, type Site } from './site';
import { type Visit } from '../rpc/deps';

/** Whether an account is on a chain; an externally owned one is on every chain, also on none (''). */
export const isOn = (stored: AccountEntry, chain: ChainName | ''): boolean =>
  !isSmart(stored) || (stored.account.scopes as readonly string[]).includes(chain);

/**
 * The chain of a site that has chosen none: the first that is set up and that its first account is on.
 *
 * @param first - The account; undefined for a site that is not connected.
 */
export async function defaultChain({ chains }: Visit, first: AccountEntry | undefined): Promise<ChainName | undefined> {
  const names = (await chains.list()).map(({ chainId }) => chainId);
  return names.find((name) => first !== undefined && isOn(first, name)) ?? names[0];
}

/**
 * The chain that a site is on.
 *
 * @throws {ProviderError} 4900 if no chain is set up at all.
 */
export async function chainNameOfSite(visit: Visit): Promise<ChainName> {
  const name =
    (await visit.grants.find(visit.origin))?.chainId ?? (await defaultChain(visit, (await accountsOf(visit))[0]));
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
export async function chainOfSite(site: Site): Promise<ChainConfiguration> {
  const name = await chainNameOfSite(site);
  const configuration = await site.chains.find(chainIdOf(name));
  if (configuration === undefined)
    throw new ProviderError(
      'chain-disconnected',
      `${name}, the chain of this site, is not set up in Keystead any more.`,
    );
  return configuration;
}

/** The scope of a request that needs no node: '' where no chain is set up. */
export async function scopeOfSite(site: Site): Promise<ChainName | ''> {
  return site.grant.chainId ?? (await defaultChain(site, site.granted[0])) ?? '';
}
