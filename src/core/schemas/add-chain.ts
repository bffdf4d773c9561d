import { InvalidParamsError } from '../errors';
import { HexChainStruct, toChainName } from './chain';
import {
  type ChainConfiguration,
  CoinSymbolStruct,
  NetworkNameStruct,
  toChainConfiguration,
} from './chain-configuration';
import { isServiceUrl, SERVICE_URL_RULE } from './service-url';
import { array, exactOptional, type Infer, literal, nonempty, startingWith, string, type } from '../structs/struct';
import { ExplorerUrlStruct } from './url';

/**
 * `[{ chainId, rpcUrls, … }]` of `wallet_addEthereumChain` (EIP-3085). Members that Keystead does not use, such as
 * `iconUrls`, are ignored.
 */
export const AddChainStruct = startingWith([
  type({
    chainId: HexChainStruct,
    rpcUrls: nonempty(string()),
    chainName: exactOptional(NetworkNameStruct),
    nativeCurrency: exactOptional(type({ symbol: CoinSymbolStruct, decimals: literal(18) })),
    blockExplorerUrls: exactOptional(array(string())),
  }),
]);

/**
 * @param chain - What the site says about the network.
 * @param mayUse - Whether the site may name a service at this URL.
 * @returns The configuration of the network: with the first URLs that Keystead can use, and without a bundler.
 * @throws {InvalidParamsError} If Keystead can use none of the nodes.
 */
export function addedChain(
  { chainId, rpcUrls, chainName, nativeCurrency, blockExplorerUrls }: Infer<typeof AddChainStruct>[0],
  mayUse: (url: string) => boolean,
): ChainConfiguration {
  const usable = rpcUrls.filter(isServiceUrl);
  if (usable.length === 0) throw new InvalidParamsError('chain.rpcUrls', `one of them ${SERVICE_URL_RULE}`);
  const rpcUrl = usable.find(mayUse);
  if (rpcUrl === undefined)
    throw new InvalidParamsError('chain.rpcUrls', 'one of them must not be a local address: the site is not local');
  const explorerUrl = blockExplorerUrls?.find((url) => ExplorerUrlStruct.is(url) && mayUse(url));
  return toChainConfiguration(
    {
      chainId: toChainName(chainId),
      rpcUrl,
      ...(chainName !== undefined && { name: chainName }),
      ...(nativeCurrency !== undefined && { symbol: nativeCurrency.symbol }),
      ...(explorerUrl !== undefined && { explorerUrl }),
    },
    'chain',
  );
}
