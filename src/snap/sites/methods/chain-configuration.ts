import { checkChain } from '../../network/check-chain';
import { removeChain } from '../../network/remove-chain';
import { isStored, storeChain } from '../../network/set-chain';
import { assertMayName, mayName } from '../local-services';
import { accountsOf } from '../site';
import { type Consent } from '../../wallet/dialogs';
import { same } from '../../wallet/state';
import { KeptChainScreen, SetChainScreen } from '../../screens/set-chain';
import { addedChain, AddChainStruct } from '../../../core/schemas/add-chain';
import { chainIdOf } from '../../../core/schemas/chain';
import {
  type ChainConfiguration,
  isSameHost,
  SetChainStruct,
  toChainConfiguration,
} from '../../../core/schemas/chain-configuration';
import { InvalidParamsError } from '../../../core/errors';
import { parse } from '../../../core/structs/struct';
import { switchSite } from './chain';
import { type ParamsOf, type SiteMethodDeps, type RpcMethod } from './method';

/**
 * Sets a network up for a site. The user is asked before anything is sent to the services that the site names, because
 * they may belong to anyone.
 */
async function setUp(
  configuration: ChainConfiguration,
  root: string,
  origin: string,
  { chains, consent, mutations }: Pick<SiteMethodDeps, 'chains' | 'consent' | 'mutations'>,
): Promise<void> {
  const before = await chains.look(chainIdOf(configuration.chainId));
  const shown = SetChainScreen({ before, after: configuration, origin });
  await consent(shown);
  // Do not ask again for what was just approved, unless the stored configuration changed in the meantime.
  const again: Consent = (content) => (same(content, shown) ? Promise.resolve() : consent(content));
  await storeChain(configuration, root, { chains, consent: again, mutations }, origin, true);
}

/**
 * The second node is a check of the person's own: a site neither sets nor removes it. If the site names a node on its
 * host, the one that was the first takes its place.
 */
async function keepingSecondNode(
  configuration: ChainConfiguration,
  { chains }: Pick<SiteMethodDeps, 'chains'>,
): Promise<ChainConfiguration> {
  if (configuration.secondRpcUrl !== undefined)
    throw new InvalidParamsError('params.secondRpcUrl', 'must be absent: only the Keystead page sets it');
  const before = await chains.look(chainIdOf(configuration.chainId));
  if (typeof before !== 'object' || before.secondRpcUrl === undefined) return configuration;
  const { rpcUrl, secondRpcUrl } = before;
  return {
    ...configuration,
    secondRpcUrl: isSameHost(secondRpcUrl, configuration.rpcUrl) ? rpcUrl : secondRpcUrl,
  };
}

const URLS = ['rpcUrl', 'bundlerUrl', 'paymasterUrl', 'explorerUrl'] as const satisfies (keyof ChainConfiguration)[];

/**
 * `keystead_setChain`. Any site may call this, connected or not. It learns nothing about the previous configuration, so
 * only a connected site is not asked about for settings that would not change.
 *
 * @throws {InvalidParamsError} If a parameter is invalid, or a remote site names a service on this machine, or a site
 * names a second node.
 */
export const keysteadSetChain: RpcMethod<'keystead_setChain'> = (params, origin, deps) => {
  const settings = parse(SetChainStruct, params, 'params') satisfies ParamsOf<'keystead_setChain'>;
  const configuration = toChainConfiguration(settings, 'params');
  for (const name of URLS) assertMayName(origin, configuration[name], `params.${name}`);
  return deps.requests.run(origin, async () => {
    const isConnected = (await accountsOf(origin, deps)).length > 0;
    const kept = await keepingSecondNode(configuration, deps);
    if (!isConnected || !(await isStored(kept, deps))) await setUp(kept, 'params', origin, deps);
    return configuration;
  });
};

/**
 * Asks a site's user about a network that is set up already, and keeps it as it is. The dialog and the request to the
 * site's node are the same as for a new network, so the site does not learn which networks are set up.
 */
async function pretendToSetUp(
  configuration: ChainConfiguration,
  origin: string,
  { consent }: Pick<SiteMethodDeps, 'consent'>,
): Promise<void> {
  await consent(KeptChainScreen({ after: configuration, origin }));
  await checkChain(configuration, 'chain');
}

/**
 * `wallet_addEthereumChain` (EIP-3085): sets a network up for externally owned accounts, without a bundler, and
 * switches the site to it. A network that is set up already is kept as it is, so no site can replace its services this
 * way. A connected site is not asked about it.
 *
 * @throws {InvalidParamsError} If a parameter is invalid, or Keystead can use none of the nodes. A remote site cannot
 * name one on this machine.
 * @throws {ServiceFailedError} If the node does not respond, or serves another network.
 * @throws {UserRejectedError} If the user does not add the network.
 */
export const walletAddEthereumChain: RpcMethod<'wallet_addEthereumChain'> = (params, origin, deps) => {
  const [chain] = parse(AddChainStruct, params, 'params', ['chain']) satisfies ParamsOf<'wallet_addEthereumChain'>;
  const configuration = addedChain(chain, (url) => mayName(origin, url));
  return deps.requests.run(origin, async () => {
    const stored = await deps.chains.look(chainIdOf(configuration.chainId));
    if (typeof stored !== 'object') await setUp(configuration, 'chain', origin, deps);
    else if ((await accountsOf(origin, deps)).length === 0) await pretendToSetUp(configuration, origin, deps);
    await switchSite(origin, configuration.chainId, deps);
    return null;
  });
};

/** `keystead_removeChain`, for connected sites. */
export const keysteadRemoveChain: RpcMethod<'keystead_removeChain'> = (params, { origin }, deps) =>
  removeChain(params, deps, origin);

/** `keystead_getChains`, for connected sites. Omits the service URLs, which may contain API keys. */
export const keysteadGetChains: RpcMethod<'keystead_getChains'> = async (_params, _site, { chains }) =>
  (await chains.list()).map(({ chainId, entryPoint, entryPointVersion, factory, paymasterUrl }) => ({
    chainId,
    entryPoint,
    entryPointVersion,
    ...(factory !== undefined && { factory }),
    hasPaymaster: paymasterUrl !== undefined,
  }));
