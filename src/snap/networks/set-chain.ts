import { type Consent } from '../platform/dialogs';
import { consentedChange } from '../storage/consented-change';
import { SetChainScreen } from '../ui/set-chain';
import { type Mutex } from '../../core/mutex';
import { chainChanges } from '../../core/networks/chain-changes';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration, SetChainStruct, toChainConfiguration } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/schemas/struct';
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
 * first checks that the node and the bundler, if there is one, serve this chain and entry point, and then shows the
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
 * Checks a configuration with its services, and stores it if the user agrees.
 *
 * @param root - The name of the configuration in error messages.
 */
export async function storeChain(
  configuration: ChainConfiguration,
  root: string,
  deps: ChainDeps,
  origin: string,
): Promise<void> {
  const chainId = chainIdOf(configuration.chainId);
  await checkChain(configuration, root);
  const change = {
    read: () => deps.chains.look(chainId),
    screen: (before: ChainEntry) => SetChainScreen({ before, after: configuration, origin }),
    store: () => deps.chains.put(configuration),
  };
  await consentedChange(change, deps);
}
