import { isIn } from '../../../../eth/address';
import { addressOf, listOf, type Struct, type TypedRule, uintOf } from '../rule';
import { coinOrTokenTerm, exactly, orderRule, type OrderTerms, WHOLE_SHARE, tokenTerm } from './order-rule';
import { RARIBLE_RULE } from './rarible';
import { ZEROX_NFT_RULES } from './zerox-nfts';

const STRATEGY = 'A strategy of the market, which Keystead does not know, can change the price and the item.';
/** LooksRare 1's strategies for one item at a fixed price. With others, an offer may be for any item. */
const FIXED_PRICE = ['0x579af6fd30bf83a5ac0d636bc619f98dbdeb930c', '0x56244bb70cbd3ea9dc8007399f61dfc065190031'];

/** LooksRare 1: a sale accepts no less than its share of the price. */
function looksRareTerms(order: Struct): OrderTerms {
  const price = uintOf(order, 'price');
  const currency = addressOf(order, 'currency');
  const amount = uintOf(order, 'amount');
  const [token, id] = [addressOf(order, 'collection'), uintOf(order, 'tokenId')];
  const isSale = order.isOrderAsk === true;
  const isFixed = isIn(FIXED_PRICE, addressOf(order, 'strategy'));
  const isAny = !isSale && !isFixed;
  const nft = exactly({ kind: amount === 1n ? 'erc721' : 'erc1155', token, id, ...(isAny && { isAny }) }, amount);
  const least = (price * uintOf(order, 'minPercentageToAsk')) / WHOLE_SHARE;
  return {
    maker: addressOf(order, 'signer'),
    gives: [isSale ? nft : tokenTerm(currency, price)],
    gets: [isSale ? tokenTerm(currency, price, { least }) : nft],
    until: uintOf(order, 'endTime'),
    notes: [isFixed ? undefined : STRATEGY],
  };
}

/** LooksRare 2: `QuoteType` 0 is a bid, 1 an ask; `CollectionType` 0 is ERC-721, 1 ERC-1155. */
function looksRare2Terms(order: Struct): OrderTerms {
  const ids = (order.itemIds as readonly (string | number)[]).map(BigInt);
  const amounts = (order.amounts as readonly (string | number)[]).map(BigInt);
  const token = addressOf(order, 'collection');
  const kind = uintOf(order, 'collectionType') === 0n ? 'erc721' : 'erc1155';
  const isStandard = uintOf(order, 'strategyId') === 0n;
  const nfts =
    ids.length === 0
      ? [exactly({ kind, token, id: 0n, isAny: true }, amounts[0] ?? 1n)]
      : ids.map((id, at) => exactly({ kind, token, id }, amounts[at] ?? 1n));
  const price = coinOrTokenTerm(addressOf(order, 'currency'), uintOf(order, 'price'));
  const isSale = uintOf(order, 'quoteType') === 1n;
  return {
    maker: addressOf(order, 'signer'),
    gives: isSale ? nfts : [price],
    gets: isSale ? [{ ...price, isBeforeFees: true }] : nfts,
    until: uintOf(order, 'endTime'),
    notes: [isStandard ? undefined : STRATEGY],
  };
}

/** Blur's policies for one item at a fixed price. With others, an offer may be for any item. */
const FIXED_POLICIES = ['0x00000000006411739da1c40b106f8511de5d1fac', '0x0000000000dab4a563819e8fd93dba3b25bc3495'];

/** Blur 1: `Side` 0 buys, 1 sells. The seller pays the fees. */
function blurTerms(order: Struct): OrderTerms {
  const price = uintOf(order, 'price');
  const currency = addressOf(order, 'paymentToken');
  const amount = uintOf(order, 'amount');
  const isSale = uintOf(order, 'side') === 1n;
  const isAny = !isSale && !isIn(FIXED_POLICIES, addressOf(order, 'matchingPolicy'));
  const nft = exactly(
    {
      kind: amount > 1n ? 'erc1155' : 'erc721',
      token: addressOf(order, 'collection'),
      id: uintOf(order, 'tokenId'),
      ...(isAny && { isAny }),
    },
    amount === 0n ? 1n : amount,
  );
  const fees = listOf(order, 'fees').map((fee) =>
    coinOrTokenTerm(currency, (price * uintOf(fee, 'rate')) / WHOLE_SHARE, { to: addressOf(fee, 'recipient') }),
  );
  const left = fees.reduce((rest, { most }) => rest - most, price);
  return {
    maker: addressOf(order, 'trader'),
    gives: isSale ? [nft] : [coinOrTokenTerm(currency, price)],
    gets: isSale ? [coinOrTokenTerm(currency, left > 0n ? left : 0n), ...fees] : [nft],
    until: uintOf(order, 'expirationTime'),
  };
}

/** Orders of NFTs. Blur 2 signs the root of a tree, which nobody can read. */
export const NFT_RULES: readonly TypedRule[] = [
  ...ZEROX_NFT_RULES,
  RARIBLE_RULE,
  orderRule({
    protocol: 'LooksRare',
    contracts: ['0x59728544b08ab483533076417fbbb2fd0b17ce3a'],
    type: 'MakerOrder(bool isOrderAsk,address signer,address collection,uint256 price,uint256 tokenId,uint256 amount,address strategy,address currency,uint256 nonce,uint256 startTime,uint256 endTime,uint256 minPercentageToAsk,bytes params)',
    read: (order) => [looksRareTerms(order)],
  }),
  orderRule({
    protocol: 'LooksRare',
    contracts: ['0x0000000000e655fae4d56241588680f86e3b2377'],
    type: 'Maker(uint8 quoteType,uint256 globalNonce,uint256 subsetNonce,uint256 orderNonce,uint256 strategyId,uint8 collectionType,address collection,address currency,address signer,uint256 startTime,uint256 endTime,uint256 price,uint256[] itemIds,uint256[] amounts,bytes additionalParameters)',
    read: (order) => [looksRare2Terms(order)],
  }),
  orderRule({
    protocol: 'Blur',
    contracts: ['0x000000000000ad05ccc4f10045630fb830b95127'],
    type: 'Order(address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce)Fee(uint16 rate,address recipient)',
    read: (order) => [blurTerms(order)],
  }),
];
