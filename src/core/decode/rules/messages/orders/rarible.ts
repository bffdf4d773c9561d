import { type Hex } from '../../../../eth/bytes';
import { type Term } from '../../../effects/effect';
import { type Asset } from '../../../effects/outcome';
import { addressOf, digitsOf, type Struct, structOf, type TypedRule, uintOf } from '../rule';
import { exactly, orderRule, orNobody, type OrderTerms, WHOLE_SHARE } from './order-rule';

/** Rarible's classes of assets: the first four bytes of the hash of their names. */
const ETH = '0xaaaebeba';
const ERC20 = '0x8ae85d84';
const ERC721 = '0x73ad2146';
const ERC1155 = '0x973bb640';
const COLLECTION = '0xf63c2825';
/** Fees are taken of the higher class. An NFT of a collection may turn out to be of ERC-1155. */
const FEE_RANKS: Readonly<Record<string, number>> = { [ETH]: 3, [ERC20]: 2, [ERC1155]: 1, [COLLECTION]: 1 };
/** Hex digits. */
const WORD = 64;

/** @returns The word at a byte of data; undefined if the data ends before. */
function wordAt(digits: string, byte: bigint): string | undefined {
  const start = 2 * Number(byte);
  const word = digits.slice(start, start + WORD);
  return word.length === WORD ? word : undefined;
}
const numberAt = (digits: string, byte: bigint): bigint | undefined => {
  const word = wordAt(digits, byte);
  return word === undefined ? undefined : BigInt(`0x${word}`);
};
const addressIn = (word: string): Hex => `0x${word.slice(-40)}`;

const classOf = (asset: Struct): string => String(structOf(asset, 'assetType').assetClass).toLowerCase();

function assetOf(asset: Struct): Asset | undefined {
  const digits = digitsOf(structOf(asset, 'assetType'), 'data');
  const token = addressIn(digits.slice(0, WORD));
  const id = numberAt(digits, 32n);
  const words = digits.length / WORD;
  switch (classOf(asset)) {
    case ETH:
      return { kind: 'native' };
    case ERC20:
      return words === 1 ? { kind: 'erc20', token } : undefined;
    case ERC721:
      return words === 2 && id !== undefined ? { kind: 'erc721', token, id } : undefined;
    case ERC1155:
      return words === 2 && id !== undefined ? { kind: 'erc1155', token, id } : undefined;
    case COLLECTION:
      return words === 1 ? { kind: 'erc721', token, id: 0n, isAny: true } : undefined;
    default:
      return undefined;
  }
}

/** A share of an order, in hundredths of a percent. */
type Part = { readonly to: Hex; readonly share: bigint };

/** The parts to which the word at a byte points, counted from `base`: how many, then an account and a share each. */
function partsAt(digits: string, base: bigint, byte: bigint): Part[] | undefined {
  const offset = numberAt(digits, base + byte);
  if (offset === undefined) return undefined;
  const start = base + offset;
  const count = numberAt(digits, start);
  if (count === undefined || count > digits.length) return undefined;
  const parts = Array.from({ length: Number(count) }, (_, index) => {
    const [to, share] = [start + 32n + 64n * BigInt(index), start + 64n + 64n * BigInt(index)];
    return { to: addressIn(wordAt(digits, to) ?? ''), share: numberAt(digits, share) };
  });
  return parts.every((part): part is Part => part.share !== undefined) ? parts : undefined;
}

/** `keccak256("V1")`, `("V2")` and `("V3")`: payouts, then fees of the site; with the last, of the market, too. */
const WITH_FEE_OF_MARKET = '0x4ade54ca';
const WITH_PARTS = ['0x4c234266', '0x23d235ef', WITH_FEE_OF_MARKET];
/** No data: everything goes to the maker. */
const WITHOUT_DATA = '0xffffffff';

type Parts = { readonly payouts: readonly Part[]; readonly fees: readonly Part[] };

/** @returns The payouts and fees of an order; undefined if its data is of another form. */
function partsOf(order: Struct, type: string): Parts | undefined {
  if (type === WITHOUT_DATA) return { payouts: [], fees: [] };
  const digits = digitsOf(order, 'data');
  const base = numberAt(digits, 0n);
  if (!WITH_PARTS.includes(type) || base === undefined) return undefined;
  const [payouts, fees] = [partsAt(digits, base, 0n), partsAt(digits, base, 32n)];
  return payouts === undefined || fees === undefined ? undefined : { payouts, fees };
}

const sumOf = (parts: readonly Part[]): Pick<Part, 'share'> => ({
  share: parts.reduce((sum, { share }) => sum + share, 0n),
});
const shareOf = (amount: bigint, { share }: Pick<Part, 'share'>): bigint => (amount * share) / WHOLE_SHARE;

/** Pays shares of an amount as long as there is something left of it. */
function pay(parts: readonly Part[], amount: bigint): { readonly paid: readonly bigint[]; readonly left: bigint } {
  let left = amount;
  const paid = parts.map((part) => {
    const due = shareOf(amount, part);
    const given = due < left ? due : left;
    left -= given;
    return given;
  });
  return { paid, left };
}

/** What the maker gets, by the shares of its payouts. The last of them gets what rounding leaves. */
function payoutTerms(asset: Asset | undefined, amount: bigint, payouts: readonly Part[], more: Partial<Term>): Term[] {
  const last = payouts.length - 1;
  if (last < 0) return [exactly(asset, amount, more)];
  const { paid, left } = pay(payouts.slice(0, last), amount);
  // An order can be filled NFT by NFT, and a single one goes to the last.
  const isPieces = last > 0 && asset?.kind !== 'native' && asset?.kind !== 'erc20';
  return payouts.map(({ to }, at) => ({
    ...exactly(asset, paid[at] ?? left, { ...more, to }),
    ...(isPieces && (at === last ? { most: amount, isRising: true } : { least: 0n })),
  }));
}

const UNREAD = 'Keystead cannot read who is paid by this order, and which fees come on top.';

function termsOf(order: Struct): OrderTerms {
  const [makeAsset, takeAsset] = [structOf(order, 'makeAsset'), structOf(order, 'takeAsset')];
  const [make, take] = [assetOf(makeAsset), assetOf(takeAsset)];
  const [given, got] = [uintOf(makeAsset, 'value'), uintOf(takeAsset, 'value')];
  const [givenRank, gotRank] = [makeAsset, takeAsset].map((asset) => FEE_RANKS[classOf(asset)] ?? 0) as [
    number,
    number,
  ];
  // A buyer pays the fees on top, a seller out of the price. Of assets of one class, whoever fills the order chooses.
  const isOnTop = givenRank > 0 && givenRank >= gotRank;
  const isFromPrice = gotRank > 0 && gotRank >= givenRank;
  const type = String(order.dataType).toLowerCase();
  const parts = partsOf(order, type);
  const fees = parts?.fees ?? [];
  const onTop = isOnTop ? fees.map((fee) => shareOf(given, fee)) : [];
  // The fees are added up before they are rounded.
  const rounding = isOnTop ? shareOf(given, sumOf(fees)) - onTop.reduce((sum, amount) => sum + amount, 0n) : 0n;
  const { paid, left } = pay(isFromPrice ? fees : [], got);
  const until = uintOf(order, 'end');
  return {
    maker: addressOf(order, 'maker'),
    taker: orNobody(addressOf(order, 'taker')),
    gives: [
      exactly(make, given + rounding, isOnTop && type === WITH_FEE_OF_MARKET ? { isBeforeFees: true } : {}),
      ...onTop.map((amount, at) => exactly(make, amount, { to: fees[at]?.to })),
    ],
    gets: [
      ...(parts === undefined
        ? [exactly(take, got, { least: 0n })]
        : payoutTerms(take, left, parts.payouts, isFromPrice ? { isBeforeFees: true } : {})),
      ...paid.map((amount, at) => exactly(take, amount, { to: fees[at]?.to })),
    ],
    ...(until !== 0n && { until }),
    notes: [parts === undefined ? UNREAD : undefined],
  };
}

/** Rarible's exchange of version 2. */
export const RARIBLE_RULE: TypedRule = orderRule({
  protocol: 'Rarible',
  contracts: ['0x9757f2d2b135150bbeb65308d4a91804107cd8d6', '0x12b3897a36fdb436dde2788c06eff0ffd997066e'],
  type: 'Order(address maker,Asset makeAsset,address taker,Asset takeAsset,uint256 salt,uint256 start,uint256 end,bytes4 dataType,bytes data)Asset(AssetType assetType,uint256 value)AssetType(bytes4 assetClass,bytes data)',
  read: (order) => [termsOf(order)],
});
