import { AddressStruct } from './address';
import { integer, literal, optional, rule, string, type, union } from './struct';

/** EIP-747 has a number, but MetaMask takes text too, so sites send what is in their form. */
const DecimalsStruct = union(
  [integer(0, 255), rule<string>('', (value) => typeof value === 'string' && /^\d{1,3}$/u.test(value) && +value < 256)],
  'must be an integer from 0 to 255',
);

/**
 * The parameters of `wallet_watchAsset` (EIP-747): one object, not a list. Members that Keystead does not use, such as
 * `image`, are ignored.
 *
 * @example
 * ```ts
 * import { parse } from './struct';
 * const options = { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', symbol: 'USDC', decimals: 6 };
 * WatchAssetStruct.is({ type: 'ERC20', options }); // => true
 * WatchAssetStruct.is({ type: 'ERC20', options: { ...options, decimals: '6' } }); // => true
 * parse(WatchAssetStruct, { type: 'ERC721', options }, 'asset'); // throws asset.type:
 * ```
 */
export const WatchAssetStruct = type({
  type: literal('ERC20'),
  options: type({
    address: AddressStruct,
    symbol: optional(string()),
    decimals: optional(DecimalsStruct),
    chainId: optional(integer(1)),
  }),
});
