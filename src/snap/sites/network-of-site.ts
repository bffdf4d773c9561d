import { ProviderError } from '../../core/errors';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type AccountEntry, isSmart } from '../account/account';
import { accountsOf, type Site, type SiteDeps } from './site';

/**
 * @returns Whether an account is on a chain. An externally owned account is on every chain, including '' (no chain).
 */
export const isOn = (entry: AccountEntry, chain: ChainName | ''): boolean =>
  !isSmart(entry) || (entry.account.scopes as readonly string[]).includes(chain);

/**
 * The default chain of a site: the first configured chain that its first account is on.
 *
 * @param first - The site's first account; undefined if the site is not connected.
 */
export async function defaultChain(
  { chains }: Pick<SiteDeps, 'chains'>,
  first: AccountEntry | undefined,
): Promise<ChainName | undefined> {
  const names = (await chains.list()).map(({ chainId }) => chainId);
  return names.find((name) => first !== undefined && isOn(first, name)) ?? names[0];
}

/**
 * The current chain of a site.
 *
 * @throws {ProviderError} 4900 if no chain is set up.
 */
export async function chainNameOfSite(
  origin: string,
  deps: Pick<SiteDeps, 'accounts' | 'chains' | 'permissions'>,
): Promise<ChainName> {
  const name =
    (await deps.permissions.find(origin))?.chainId ?? (await defaultChain(deps, (await accountsOf(origin, deps))[0]));
  if (name === undefined) throw new ProviderError('disconnected', 'No network is set up in Keystead. Add one first.');
  return name;
}

/**
 * The configuration of a site's current chain.
 *
 * @throws {ProviderError} 4900 if no chain is set up, 4901 if this one is no longer set up.
 */
export async function chainOfSite(
  { origin }: Site,
  deps: Pick<SiteDeps, 'accounts' | 'chains' | 'permissions'>,
): Promise<ChainConfiguration> {
  const name = await chainNameOfSite(origin, deps);
  const configuration = await deps.chains.find(chainIdOf(name));
  if (configuration === undefined)
    throw new ProviderError(
      'chain-disconnected',
      `${name}, the network of this site, is no longer set up in Keystead.`,
    );
  return configuration;
}

/** The chain of a request that needs no node; '' if no chain is set up. */
export const scopeOfSite = async (
  { permission, accounts }: Site,
  deps: Pick<SiteDeps, 'chains'>,
): Promise<ChainName | ''> => permission.chainId ?? (await defaultChain(deps, accounts[0])) ?? '';
