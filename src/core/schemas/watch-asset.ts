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
