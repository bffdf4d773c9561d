import { type Term } from '../../../effects/effect';
import { quoted } from '../../../descriptors/words';
import { addressOf, listOf, type Struct, type TypedRule, type TypedScene, uintOf } from '../rule';
import { between, coinOrTokenTerm, exactly, orderRule, orNobody, type OrderTerms } from './order-rule';

const FEE = 'Fee(address recipient,uint256 amount,bytes feeData)';
const PROPERTY = 'Property(address propertyValidator,bytes propertyData)';
const PAYMENT =
  'address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,';

/** What an order of 0x's family is about: its fields after the price. */
type Item = { readonly token: string; readonly id: string; readonly amount?: string; readonly properties?: string };

type Kind = {
  readonly isSale: boolean;
  readonly until: bigint;
  /** How many NFTs an offer is for. */
  readonly count?: bigint;
  /** By how much an auction lowers the price and the fees, in parts of {@link ELEMENT_WHOLE}. */
  readonly drop?: bigint;
};

/** Fees come on top of the price: whoever buys pays them. */
function zeroXTerms(order: Struct, item: Item, { isSale, until, count = 1n, drop = 0n }: Kind): OrderTerms {
  const token = addressOf(order, 'erc20Token');
  const isAny = item.properties !== undefined && listOf(order, item.properties).length > 0;
  const amount = item.amount === undefined ? count : uintOf(order, item.amount);
  const nft = exactly(
    {
      kind: item.amount === undefined ? 'erc721' : 'erc1155',
      token: addressOf(order, item.token),
      id: uintOf(order, item.id),
      ...(isAny && { isAny }),
    },
    amount,
  );
  const money = (start: bigint, more: Partial<Term> = {}): Term => {
    const end = start - (start * drop) / ELEMENT_WHOLE;
    return coinOrTokenTerm(token, start, { ...(drop > 0n && between(start, end > 0n ? end : 0n)), ...more });
  };
  const price = money(uintOf(order, 'erc20TokenAmount'));
  const fees = listOf(order, 'fees').map((fee) => money(uintOf(fee, 'amount'), { to: addressOf(fee, 'recipient') }));
  return {
    maker: addressOf(order, 'maker'),
    taker: orNobody(addressOf(order, 'taker')),
    gives: isSale ? [nft] : [price, ...fees],
    gets: isSale ? [price, ...fees] : [nft],
    until,
  };
}

const ELEMENT = [
  '0x20f780a973856b93f63670377900c1d2a50a77c4',
  '0xb3e3dfcb2d9f3dde16d78b9e6eb3538eb32b5ae1',
  '0xeaf5453b329eb38be159a872a6ce91c9a8fb0260',
];
/** Element packs above the expiry: the time of the listing, a number, and highest, the kind that says what it is. */
const ELEMENT_BITS = 32;
const LISTED_AT = 32n;
const NUMBER_AT = 64n;
/** Above {@link NUMBER_AT}. */
const KIND_AT = 188n;
const ELEMENT_WHOLE = 100_000_000n;
const DUTCH_AUCTION = 1n;
const OFFER_FOR_SEVERAL = 8n;

function elementKind(order: Struct, isSale: boolean, { findings: { signed } }: TypedScene): Kind {
  const packed = uintOf(order, 'expiry');
  const [above, listed, until] = [
    packed >> NUMBER_AT,
    BigInt.asUintN(ELEMENT_BITS, packed >> LISTED_AT),
    BigInt.asUintN(ELEMENT_BITS, packed),
  ];
  const number = BigInt.asUintN(ELEMENT_BITS, above);
  const isAuction = isSale && above === ((DUTCH_AUCTION << KIND_AT) | number);
  const isForSeveral = !isSale && above === ((OFFER_FOR_SEVERAL << KIND_AT) | number);
  signed.markSplit(quoted('expiry'));
  for (const [label, amount] of Object.entries({
    'End of the order': until,
    'Listed at': listed,
    // The terms of these two kinds say their number.
    'Kind of the order': isAuction || isForSeveral ? 0n : above,
  }))
    if (amount > 0n) signed.add([{ kind: 'amount', label, amount }]);
  return {
    isSale,
    until,
    ...(isAuction && { drop: number }),
    ...(isForSeveral && { count: number }),
  };
}

const element = (type: string, item: Item, isSale: boolean): TypedRule =>
  orderRule({
    protocol: 'Element',
    contracts: ELEMENT,
    type,
    read: (order, scene) => [zeroXTerms(order, item, elementKind(order, isSale, scene))],
  });

const ZEROX = [
  '0xdef1c0ded9bec7f1a1670819833240f027b25eff',
  '0xdef1abe32c034e558cdd535791643c58a13acc10',
  '0xdef189deaef76e379df891899eb5a00a94cbc250',
];
const zeroX = (type: string, item: Item): TypedRule =>
  orderRule({
    protocol: '0x',
    contracts: ZEROX,
    type,
    // `TradeDirection`: 0 sells an NFT, 1 buys one.
    read: (order) => [
      zeroXTerms(order, item, { isSale: uintOf(order, 'direction') === 0n, until: uintOf(order, 'expiry') }),
    ],
  });

/** Orders of NFTs of 0x, and of Element, which has them from there. */
export const ZEROX_NFT_RULES: readonly TypedRule[] = [
  element(
    `NFTSellOrder(${PAYMENT}address nft,uint256 nftId,uint256 hashNonce)${FEE}`,
    { token: 'nft', id: 'nftId' },
    true,
  ),
  element(
    `NFTBuyOrder(${PAYMENT}address nft,uint256 nftId,Property[] nftProperties,uint256 hashNonce)${FEE}${PROPERTY}`,
    { token: 'nft', id: 'nftId', properties: 'nftProperties' },
    false,
  ),
  element(
    `ERC1155SellOrder(${PAYMENT}address erc1155Token,uint256 erc1155TokenId,uint128 erc1155TokenAmount,uint256 hashNonce)${FEE}`,
    { token: 'erc1155Token', id: 'erc1155TokenId', amount: 'erc1155TokenAmount' },
    true,
  ),
  element(
    `ERC1155BuyOrder(${PAYMENT}address erc1155Token,uint256 erc1155TokenId,Property[] erc1155TokenProperties,uint128 erc1155TokenAmount,uint256 hashNonce)${FEE}${PROPERTY}`,
    {
      token: 'erc1155Token',
      id: 'erc1155TokenId',
      amount: 'erc1155TokenAmount',
      properties: 'erc1155TokenProperties',
    },
    false,
  ),
  zeroX(
    `ERC721Order(uint8 direction,${PAYMENT}address erc721Token,uint256 erc721TokenId,Property[] erc721TokenProperties)${FEE}${PROPERTY}`,
    { token: 'erc721Token', id: 'erc721TokenId', properties: 'erc721TokenProperties' },
  ),
  zeroX(
    `ERC1155Order(uint8 direction,${PAYMENT}address erc1155Token,uint256 erc1155TokenId,Property[] erc1155TokenProperties,uint128 erc1155TokenAmount)${FEE}${PROPERTY}`,
    {
      token: 'erc1155Token',
      id: 'erc1155TokenId',
      amount: 'erc1155TokenAmount',
      properties: 'erc1155TokenProperties',
    },
  ),
];
