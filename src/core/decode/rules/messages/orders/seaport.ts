import { isSameAddress } from '../../../../eth/address';
import { encodeType, type TypedDataTypes } from '../../../../eth/typed-data';
import { type Term } from '../../../effects/effect';
import { type Asset } from '../../../effects/outcome';
import { addressOf, listOf, type Struct, type TypedRule, uintOf } from '../rule';
import { between, orderRule, type OrderTerms } from './order-rule';

const COMPONENTS = 'OrderComponents';
const ITEM = 'Item(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount';
const COMPONENTS_TYPE =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,' +
  'uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)' +
  `Consideration${ITEM},address recipient)Offer${ITEM})`;

/** Seaport 1.6, 1.5, 1.4 and 1.1, on every network. */
const CONTRACTS = [
  '0x0000000000000068f116a894984e2db1123eb395',
  '0x00000000000000adc04c56bf30ac9d3c0aaf14dc',
  '0x00000000000001ad428e4906ae43d8f9852d0dd6',
  '0x00000000006c3852cbef3e08e8df289169ede581',
];

/** Seaport's `ItemType`. */
const COIN = 0n;
const ERC20 = 1n;
const ERC721 = 2n;
const FIRST_WITH_CRITERIA = 4n;

/** The kind of an item; undefined for a kind that does not exist. */
function assetOf(item: Struct): Asset | undefined {
  const [kind, token] = [uintOf(item, 'itemType'), addressOf(item, 'token')];
  const id = uintOf(item, 'identifierOrCriteria');
  if (kind === COIN) return { kind: 'native' };
  if (kind === ERC20) return { kind: 'erc20', token };
  if (kind > FIRST_WITH_CRITERIA + 1n) return undefined;
  const isAny = kind >= FIRST_WITH_CRITERIA;
  const isSingle = kind === ERC721 || kind === FIRST_WITH_CRITERIA;
  return { kind: isSingle ? 'erc721' : 'erc1155', token, id, ...(isAny && { isAny }) };
}

/** Amounts may change between the order's start and end. */
const termOf = (item: Struct): Term => ({
  asset: assetOf(item),
  ...between(uintOf(item, 'startAmount'), uintOf(item, 'endAmount')),
});

function termsOf(order: Struct): OrderTerms {
  const maker = addressOf(order, 'offerer');
  return {
    maker,
    gives: listOf(order, 'offer').map(termOf),
    gets: listOf(order, 'consideration').map((item) => {
      const to = addressOf(item, 'recipient');
      return { ...termOf(item), ...(!isSameAddress(to, maker) && { to }) };
    }),
    until: uintOf(order, 'endTime'),
  };
}

const isEmpty = (order: Struct): boolean =>
  listOf(order, 'offer').length === 0 && listOf(order, 'consideration').length === 0;

/** The orders of a bulk order: the leaves of its tree, which Seaport pads with empty ones. */
function leaves(tree: unknown): Struct[] {
  return Array.isArray(tree) ? tree.flatMap(leaves) : [tree as Struct];
}

/** Seaport (OpenSea): single orders, and several orders in one signature. */
export const SEAPORT_RULES: readonly TypedRule[] = [
  orderRule({
    protocol: 'Seaport',
    contracts: CONTRACTS,
    type: COMPONENTS_TYPE,
    read: (order) => [termsOf(order)],
  }),
  orderRule({
    protocol: 'Seaport',
    contracts: CONTRACTS,
    type: (types: TypedDataTypes, primaryType: string) =>
      primaryType === 'BulkOrder' &&
      /^BulkOrder\(OrderComponents(?:\[2\])+ tree\)/u.test(encodeType(types, primaryType)) &&
      encodeType(types, COMPONENTS) === COMPONENTS_TYPE,
    read: ({ tree }) =>
      leaves(tree)
        .filter((order) => !isEmpty(order))
        .map(termsOf),
  }),
];
