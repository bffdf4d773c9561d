import { ProviderError } from '../../core/errors';
import { quantityToHex } from '../../core/eth/bytes';
import { SwitchChainStruct } from '../../core/schemas/calls';
import { chainIdOf, toChainName } from '../../core/schemas/chain';
import { parse } from '../../core/schemas/struct';
import { chainNameOfSite } from '../permissions/network-of-site';
import { notConnected } from '../permissions/site';
import { type DoorMethod, forConnected } from './method';

/** `eth_chainId` (EIP-695): the chain that the site is on. It says nothing of accounts, so any site may ask. */
export const ethChainId: DoorMethod = async (_params, visit) => quantityToHex(chainIdOf(await chainNameOfSite(visit)));

/** `net_version`: the same in decimal. */
export const netVersion: DoorMethod = async (_params, visit) => chainIdOf(await chainNameOfSite(visit)).toString();

/**
 * `wallet_switchEthereumChain` (EIP-3326): puts the site on another chain. Each site has its own, and no
 * other one notices, so nobody is asked.
 *
 * @throws {ProviderError} 4902 if the chain is not set up.
 */
export const walletSwitchEthereumChain = forConnected(async (params, { chains, grants, mutations, origin }) => {
  const [{ chainId }] = parse(SwitchChainStruct, params, 'params', ['chain']);
  if ((await chains.find(chainIdOf(chainId))) === undefined)
    throw new ProviderError('chain-unknown', `${toChainName(chainId)} is not set up in Keystead (keystead_setChain).`);
  await mutations.runExclusive(async () => {
    const grant = await grants.find(origin);
    if (grant === undefined) throw notConnected();
    await grants.put(origin, { ...grant, chainId: toChainName(chainId) });
  });
  return null;
});
