import { isSameAddress } from '../../../eth/address';
import { encodeType, type TypedDataTypes } from '../../../eth/typed-data';
import { type Effect } from '../../effects/effect';
import { type Asset } from '../../effects/outcome';
import { type Line } from '../../explanation';
import { tokenAmount } from '../../words/amounts';
import { address, leftOut, text } from '../../words/lines';
import { nativeAmount } from '../../words/units';
import {
  addressOf,
  deadlineLine,
  entryLines,
  listOf,
  type Struct,
  type TypedRule,
  type TypedScene,
  uintOf,
} from './rule';

const COMPONENTS = 'OrderComponents';
const ITEM = 'Item(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount';
const COMPONENTS_TYPE =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,' +
  'uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)' +
  `Consideration${ITEM},address recipient)Offer${ITEM})`;

/** Seaport's `ItemType`. */
const COIN = 0n;
const ERC20 = 1n;
const ERC721 = 2n;
const FIRST_WITH_CRITERIA = 4n;

function amountOf(item: Struct, scene: TypedScene): string {
  const [start, end] = [uintOf(item, 'startAmount'), uintOf(item, 'endAmount')];
  const kind = uintOf(item, 'itemType');
  const written = (amount: bigint): string => {
    if (kind === COIN) return nativeAmount(amount, scene);
    return kind === ERC20 ? tokenAmount(amount, addressOf(item, 'token'), scene) : amount.toString();
  };
  return start === end ? written(start) : `${written(start)}, changing to ${written(end)}`;
}

function itemLines(label: string, item: Struct, scene: TypedScene): Line[] {
  const kind = uintOf(item, 'itemType');
  const id = uintOf(item, 'identifierOrCriteria');
  return [
    text(label, amountOf(item, scene)),
    ...(kind === COIN ? [] : [address('Token', addressOf(item, 'token'))]),
    ...(kind <= ERC20 ? [] : [text('Token ID', kind >= FIRST_WITH_CRITERIA ? 'any, or one of a list' : id.toString())]),
  ];
}

const isEmpty = (order: Struct): boolean =>
  listOf(order, 'offer').length === 0 && listOf(order, 'consideration').length === 0;

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

/** The least and the most that an item can be: amounts may change between the order's start and end. */
function amounts(item: Struct): readonly [bigint, bigint] {
  const [start, end] = [uintOf(item, 'startAmount'), uintOf(item, 'endAmount')];
  return start < end ? [start, end] : [end, start];
}

/** The most that the offerer gives, the least that they get, and everybody else who is paid. */
function effectsOf(order: Struct): Effect[] {
  const offerer = addressOf(order, 'offerer');
  const [offer, consideration] = [listOf(order, 'offer'), listOf(order, 'consideration')];
  const isPaid = (item: Struct): boolean => isSameAddress(addressOf(item, 'recipient'), offerer);
  const move = (item: Struct, from: typeof offerer | undefined, to: typeof offerer | undefined): Effect[] => {
    const asset = assetOf(item);
    const [least, most] = amounts(item);
    return asset === undefined ? [] : [{ kind: 'move', from, to, asset, amount: to === undefined ? most : least }];
  };
  return [
    {
      kind: 'order',
      offerer,
      gives: offer.some((item) => amounts(item)[1] > 0n),
      gets: consideration.some((item) => isPaid(item) && amounts(item)[0] > 0n),
    },
    ...offer.flatMap((item) => move(item, offerer, undefined)),
    ...consideration.flatMap((item): Effect[] =>
      isPaid(item)
        ? move(item, undefined, offerer)
        : [{ kind: 'named', address: addressOf(item, 'recipient'), isRecipient: false }],
    ),
  ];
}

function orderLines(order: Struct, scene: TypedScene): Line[] {
  const offerer = addressOf(order, 'offerer');
  return [
    address('Offerer', offerer),
    ...entryLines(listOf(order, 'offer'), (item) => itemLines('Gives', item, scene)),
    ...entryLines(listOf(order, 'consideration'), (item) => {
      const recipient = addressOf(item, 'recipient');
      return isSameAddress(recipient, offerer)
        ? itemLines('Receives', item, scene)
        : [...itemLines('Pays', item, scene), address('Recipient', recipient)];
    }),
    deadlineLine(uintOf(order, 'endTime'), scene, 'Order expires'),
  ];
}

/** The orders of a bulk order: the leaves of its tree, which Seaport pads with empty ones. */
function leaves(tree: unknown): Struct[] {
  return Array.isArray(tree) ? tree.flatMap(leaves) : [tree as Struct];
}

const MAX_ORDERS = 10;

function bulkLines(orders: readonly Struct[], scene: TypedScene): Line[] {
  return [
    text('Orders', orders.length.toString()),
    ...orders.slice(0, MAX_ORDERS).flatMap((order) => orderLines(order, scene)),
    ...leftOut(orders.length - MAX_ORDERS, 'order'),
  ];
}

/** Seaport (OpenSea): single orders, and several orders in one signature. */
export const SEAPORT_RULES: readonly TypedRule[] = [
  {
    type: COMPONENTS_TYPE,
    read: (order, scene) => ({
      title: 'Place an order',
      effects: effectsOf(order),
      isListed: true,
      lines: orderLines(order, scene),
    }),
  },
  {
    type: (types: TypedDataTypes, primaryType: string) =>
      primaryType === 'BulkOrder' &&
      /^BulkOrder\(OrderComponents(?:\[2\])+ tree\)/u.test(encodeType(types, primaryType)) &&
      encodeType(types, COMPONENTS) === COMPONENTS_TYPE,
    read: ({ tree }, scene) => {
      const orders = leaves(tree).filter((order) => !isEmpty(order));
      return {
        title: 'Place several orders',
        effects: orders.flatMap(effectsOf),
        isListed: true,
        lines: bulkLines(orders, scene),
      };
    },
  },
];
