import { isCopiedSymbol } from '../../../core/decode/metadata/tokens';
import { networkOf, networkTitle } from '../../../core/networks/network';
import { InvalidParamsError } from '../../../core/errors';
import { AddressStruct } from '../../../core/schemas/address';
import { chainIdOf } from '../../../core/schemas/chain';
import { exactOptional, integer, literal, parse, rule, string, type, union } from '../../../core/structs/struct';
import { readToken } from '../../network/tokens/look-up';
import { servicesOf } from '../../network/services';
import { chainOfSite } from '../network-of-site';
import { WatchAssetScreen } from '../../screens/watch-asset';
import { type ParamsOf, type RpcMethod } from './method';

const DecimalsStruct = union(
  [integer(0, 255), rule<string>('', (value) => typeof value === 'string' && /^\d{1,3}$/u.test(value) && +value < 256)],
  'must be an integer from 0 to 255',
);

/**
 * The parameters of `wallet_watchAsset` (EIP-747): one object, not a list. Members that Keystead does not use, such as
 * `image`, are ignored.
 */
const WatchAssetStruct = type({
  type: literal('ERC20'),
  options: type({
    address: AddressStruct,
    symbol: exactOptional(string()),
    decimals: exactOptional(DecimalsStruct),
    chainId: exactOptional(integer(1)),
  }),
});

/**
 * `wallet_watchAsset` (EIP-747) for ERC-20 tokens on the site's network. Symbol and decimals are read from the
 * contract; the user sees where the site says something else, and that a symbol is copied from a known token. Asks
 * nothing if the token is watched already and the site says nothing else about it.
 *
 * @returns true.
 * @throws {ServiceFailedError} If the node does not answer.
 * @throws {InvalidParamsError} If the contract is no ERC-20 token with a symbol and decimals.
 * @throws {UserRejectedError} If the user does not want to watch it.
 */
export const walletWatchAsset: RpcMethod<'wallet_watchAsset'> = async (params, site, deps) => {
  // EIP-747 defines one object, but several libraries send it in a list.
  const asset: unknown = Array.isArray(params) ? params[0] : params;
  const { options }: ParamsOf<'wallet_watchAsset'> = parse(WatchAssetStruct, asset, 'asset');
  const { address } = options;
  const configuration = await chainOfSite(site, deps);
  const chainId = chainIdOf(configuration.chainId);
  if (options.chainId !== undefined && BigInt(options.chainId) !== chainId)
    throw new InvalidParamsError('asset.options.chainId', `must be the chain of the site: ${chainId}`);
  const watched = await deps.tokens.find(chainId, address);
  const token = watched ?? (await readToken(servicesOf(configuration).node, address));
  if (token === undefined)
    throw new InvalidParamsError(
      'asset.options.address',
      `must be an ERC-20 token on ${configuration.chainId}; the contract returned no symbol or no decimals`,
    );
  const claimed = {
    symbol: options.symbol,
    decimals: options.decimals === undefined ? undefined : Number(options.decimals),
  };
  // What the site calls it may be another token's name, which nobody has agreed to.
  const isNamedSo =
    (claimed.symbol ?? token.symbol) === token.symbol && (claimed.decimals ?? token.decimals) === token.decimals;
  if (isNamedSo && watched !== undefined) return true;
  const tokens = await deps.library.knownTokens();
  await deps.consent(
    WatchAssetScreen({
      origin: site.origin,
      networkTitle: networkTitle(chainId, configuration),
      address,
      token,
      claimed,
      isCopy: isCopiedSymbol(
        token.symbol,
        address,
        { chainId, coin: networkOf(chainId, configuration).symbol },
        tokens,
      ),
    }),
  );
  await deps.tokens.put(configuration.chainId, address, token);
  return true;
};
