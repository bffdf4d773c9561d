import { isIn, isSameAddress } from '../../../../eth/address';
import { type Hex } from '../../../../eth/bytes';
import { type Asset } from '../../../effects/outcome';
import { addressOf, digitsOf, listOf, type Struct, structOf, type TypedRule, uintOf } from '../rule';
import { coinOrTokenTerm, exactly, orderRule, orNobody, type OrderTerms, tokenTerm } from './order-rule';
import { ZEROX_NFT_RULES } from './zerox-nfts';

const BASIS = 10_000n;

/** Rarible's classes of assets: the first four bytes of the hash of their names. */
const ETH = '0xaaaebeba';
const ERC20 = '0x8ae85d84';
const ERC721 = '0x73ad2146';
const ERC1155 = '0x973bb640';
const COLLECTION = '0xf63c2825';
const WORD = 64;

const wordAddress = (digits: string, at: number): Hex => `0x${digits.slice(at * WORD + 24, (at + 1) * WORD)}`;
const wordNumber = (digits: string, at: number): bigint =>
  BigInt(`0x${digits.slice(at * WORD, (at + 1) * WORD) || '0'}`);

function raribleAsset(asset: Struct): Asset | undefined {
  const type = structOf(asset, 'assetType');
  const digits = digitsOf(type, 'data');
  const token = wordAddress(digits, 0);
  const has = (words: number): boolean => digits.length === words * WORD;
  switch (String(type.assetClass).toLowerCase()) {
    case ETH:
      return { kind: 'native' };
    case ERC20:
      return has(1) ? { kind: 'erc20', token } : undefined;
    case ERC721:
      return has(2) ? { kind: 'erc721', token, id: wordNumber(digits, 1) } : undefined;
    case ERC1155:
      return has(2) ? { kind: 'erc1155', token, id: wordNumber(digits, 1) } : undefined;
    case COLLECTION:
      return has(1) ? { kind: 'erc721', token, id: 0n, isAny: true } : undefined;
    default:
      return undefined;
  }
}

const isNft = (asset: Asset | undefined): boolean => asset?.kind === 'erc721' || asset?.kind === 'erc1155';

/** Shares of Rarible's order data: who is paid, in hundredths of a percent. */
type Part = { readonly to: Hex; readonly share: bigint };

/** A list of parts that begins at a word: its length, then an account and a share each. */
function partsAt(digits: string, word: number): Part[] | undefined {
  const count = wordNumber(digits, word);
  if (digits.length < (word + 1) * WORD || BigInt(digits.length / WORD) < BigInt(word + 1) + 2n * count)
    return undefined;
  return Array.from({ length: Number(count) }, (_, at) => ({
    to: wordAddress(digits, word + 1 + 2 * at),
    share: wordNumber(digits, word + 2 + 2 * at),
  }));
}

/** `keccak256("V1")`, `("V2")` and `("V3")`: payouts, then fees of the site. */
const WITH_PARTS = ['0x4c234266', '0x23d235ef', '0x4ade54ca'];
/** No data: everything goes to the maker. */
const WITHOUT_DATA = '0xffffffff';

/** @returns The payouts and fees of an order; undefined if its data is of another form. */
function raribleParts(order: Struct): { readonly payouts: Part[]; readonly fees: Part[] } | undefined {
  const type = String(order.dataType).toLowerCase();
  if (type === WITHOUT_DATA) return { payouts: [], fees: [] };
  if (!WITH_PARTS.includes(type)) return undefined;
  const digits = digitsOf(order, 'data');
  // The struct is dynamic, so an offset comes first. Offsets within it count from its own start.
  if (wordNumber(digits, 0) !== 32n) return undefined;
  const [first, second] = [wordNumber(digits, 1), wordNumber(digits, 2)];
  const limit = BigInt(digits.length);
  if (first % 32n !== 0n || second % 32n !== 0n || first > limit || second > limit) return undefined;
  const payouts = partsAt(digits, 1 + Number(first / 32n));
  const fees = partsAt(digits, 1 + Number(second / 32n));
  return payouts === undefined || fees === undefined ? undefined : { payouts, fees };
}

function raribleTerms(order: Struct): OrderTerms {
  const maker = addressOf(order, 'maker');
  const [makeAsset, takeAsset] = [structOf(order, 'makeAsset'), structOf(order, 'takeAsset')];
  const [make, take] = [raribleAsset(makeAsset), raribleAsset(takeAsset)];
  const [given, got] = [uintOf(makeAsset, 'value'), uintOf(takeAsset, 'value')];
  const parts = raribleParts(order);
  const fees = parts?.fees ?? [];
  const feeShare = fees.reduce((sum, { share }) => sum + share, 0n);
  // A sale loses the fees; a purchase pays them on top.
  const isSale = isNft(make) || !isNft(take);
  const shareOf = (amount: bigint, share: bigint): bigint => (amount * share) / BASIS;
  const left = isSale && feeShare <= BASIS ? got - shareOf(got, feeShare) : got;
  const payouts = parts?.payouts ?? [];
  const until = uintOf(order, 'end');
  return {
    maker,
    taker: orNobody(addressOf(order, 'taker')),
    gives: [
      exactly(make, given),
      ...(isSale ? [] : fees.map(({ to, share }) => exactly(make, shareOf(given, share), { to }))),
    ],
    gets: [
      ...(payouts.length === 0
        ? [exactly(take, left, isSale ? { isBeforeFees: true } : {})]
        : payouts.map(({ to, share }) =>
            exactly(take, isNft(take) ? left : shareOf(left, share), {
              ...(!isSameAddress(to, maker) && { to }),
              ...(isSale && { isBeforeFees: true as const }),
            }),
          )),
      ...(isSale ? fees.map(({ to, share }) => exactly(take, shareOf(got, share), { to })) : []),
    ],
    ...(until !== 0n && { until }),
    notes: [parts === undefined ? 'Keystead cannot read who is paid by this order.' : undefined],
  };
}

const STRATEGY = 'A strategy of the market, which Keystead does not know, can change the price and the item.';
/** LooksRare 1's strategies for one item at a fixed price. With others, an offer may be for any item. */
const FIXED_PRICE = ['0x579af6FD30BF83a5Ac0D636bc619f98DBdeb930c', '0x56244Bb70CbD3EA9Dc8007399F61dFC065190031'];

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
  const least = (price * uintOf(order, 'minPercentageToAsk')) / BASIS;
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

/** Blur 1: `Side` 0 buys, 1 sells. The seller pays the fees. */
function blurTerms(order: Struct): OrderTerms {
  const price = uintOf(order, 'price');
  const currency = addressOf(order, 'paymentToken');
  const amount = uintOf(order, 'amount');
  const nft = exactly(
    { kind: amount > 1n ? 'erc1155' : 'erc721', token: addressOf(order, 'collection'), id: uintOf(order, 'tokenId') },
    amount === 0n ? 1n : amount,
  );
  const isSale = uintOf(order, 'side') === 1n;
  const fees = listOf(order, 'fees').map((fee) =>
    coinOrTokenTerm(currency, (price * uintOf(fee, 'rate')) / BASIS, { to: addressOf(fee, 'recipient') }),
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
  orderRule({
    protocol: 'Rarible',
    contracts: ['0x9757F2d2b135150BBeb65308D4a91804107cd8D6', '0x12b3897a36fDB436ddE2788C06Eff0ffD997066e'],
    type: 'Order(address maker,Asset makeAsset,address taker,Asset takeAsset,uint256 salt,uint256 start,uint256 end,bytes4 dataType,bytes data)Asset(AssetType assetType,uint256 value)AssetType(bytes4 assetClass,bytes data)',
    read: (order) => [raribleTerms(order)],
  }),
  orderRule({
    protocol: 'LooksRare',
    contracts: ['0x59728544B08AB483533076417FbBB2fD0B17CE3a'],
    type: 'MakerOrder(bool isOrderAsk,address signer,address collection,uint256 price,uint256 tokenId,uint256 amount,address strategy,address currency,uint256 nonce,uint256 startTime,uint256 endTime,uint256 minPercentageToAsk,bytes params)',
    read: (order) => [looksRareTerms(order)],
  }),
  orderRule({
    protocol: 'LooksRare',
    contracts: ['0x0000000000E655fAe4d56241588680F86E3b2377'],
    type: 'Maker(uint8 quoteType,uint256 globalNonce,uint256 subsetNonce,uint256 orderNonce,uint256 strategyId,uint8 collectionType,address collection,address currency,address signer,uint256 startTime,uint256 endTime,uint256 price,uint256[] itemIds,uint256[] amounts,bytes additionalParameters)',
    read: (order) => [looksRare2Terms(order)],
  }),
  orderRule({
    protocol: 'Blur',
    contracts: ['0x000000000000Ad05Ccc4F10045630fb830B95127'],
    type: 'Order(address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce)Fee(uint16 rate,address recipient)',
    read: (order) => [blurTerms(order)],
  }),
];
