import { type Consent } from '../wallet/dialogs';
import { consentedChange } from '../wallet/consented-change';
import { SetChainScreen } from '../screens/set-chain';
import { type Mutex } from '../../core/mutex';
import { chainChanges } from '../../core/networks/chain-changes';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration, SetChainStruct, toChainConfiguration } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/structs/struct';
import { checkChain } from './check-chain';
import { type ChainEntry, type ChainRepository } from './repository';

/** The dependencies of the network configuration methods. */
export type ChainDeps = {
  readonly chains: ChainRepository;
  readonly consent: Consent;
  /** Held while stored values are read and changed. */
  readonly mutations: Mutex;
};

/**
 * `keystead_setChain`: sets up a chain or changes its configuration. Asks nothing if nothing would change. Otherwise it
 * first checks that the nodes and the bundler, if there is one, serve this chain and entry point, and then shows the
 * user the old and new configuration.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @returns The stored configuration: the parameters, with the entry point and its version filled in.
 * @throws {InvalidParamsError} If a parameter is invalid; names it.
 * @throws {ServiceFailedError} If the node or the bundler does not respond, or serves another chain or entry point.
 * @throws {UserRejectedError} If the user rejects the change.
 */
export async function setChain(params: unknown, deps: ChainDeps, origin: string): Promise<ChainConfiguration> {
  const configuration = toChainConfiguration(parse(SetChainStruct, params, 'params'), 'params');
  if (!(await isStored(configuration, deps))) await storeChain(configuration, 'params', deps, origin);
  return configuration;
}

/** @returns Whether a configuration is stored already, so that there is nothing to ask. */
export async function isStored(
  configuration: ChainConfiguration,
  { chains }: Pick<ChainDeps, 'chains'>,
): Promise<boolean> {
  const stored = await chains.look(chainIdOf(configuration.chainId));
  return typeof stored === 'object' && chainChanges(stored, configuration).every(({ before }) => before === undefined);
}

/**
 * The origin of the site that added a node: it stays with the node while that is the same, whatever else is changed.
 *
 * @param site - The site that asks; undefined for the person's own pages.
 */
function nodeFrom(before: ChainEntry, { rpcUrl }: ChainConfiguration, site: string | undefined): string | undefined {
  if (site === undefined) return undefined;
  return typeof before === 'object' && before.rpcUrl === rpcUrl ? before.nodeFrom : site;
}

/**
 * Checks a configuration with its services, and stores it if the user agrees. A node that a site adds is stored with
 * the site's origin.
 *
 * @param root - The name of the configuration in error messages.
 * @param isSite - Whether the origin is a site, and not one of the person's own pages.
 */
export async function storeChain(
  configuration: ChainConfiguration,
  root: string,
  deps: ChainDeps,
  origin: string,
  isSite = false,
): Promise<void> {
  const chainId = chainIdOf(configuration.chainId);
  await checkChain(configuration, root);
  const change = {
    read: () => deps.chains.look(chainId),
    screen: (before: ChainEntry) => SetChainScreen({ before, after: configuration, origin }),
    store: async () => {
      const site = nodeFrom(await deps.chains.look(chainId), configuration, isSite ? origin : undefined);
      await deps.chains.put({ ...configuration, ...(site !== undefined && { nodeFrom: site }) });
    },
  };
  await consentedChange(change, deps);
}
