import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { encodeType, type TypedDataTypes } from '../../../eth/typed-data';
import { address, leftOut, text, tokenAmount } from '../../words/lines';
import { shortAddress } from '../../words/sentences';
import { type Asset } from '../../effects/outcome';
import { type Line } from '../../explanation';
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

/** Whether the order gives items away and its offerer receives nothing. */
function givesForNothing(order: Struct): boolean {
  const offerer = addressOf(order, 'offerer');
  return (
    listOf(order, 'offer').some((item) => uintOf(item, 'startAmount') > 0n || uintOf(item, 'endAmount') > 0n) &&
    !listOf(order, 'consideration').some(
      (item) =>
        isSameAddress(addressOf(item, 'recipient'), offerer) &&
        uintOf(item, 'startAmount') > 0n &&
        uintOf(item, 'endAmount') > 0n,
    )
  );
}

/** What an item is; undefined for one of several NFTs, and for a kind that does not exist. */
function assetOf(item: Struct): Asset | undefined {
  const [kind, token] = [uintOf(item, 'itemType'), addressOf(item, 'token')];
  const id = uintOf(item, 'identifierOrCriteria');
  if (kind === COIN) return { kind: 'native' };
  if (kind === ERC20) return { kind: 'erc20', token };
  if (kind >= FIRST_WITH_CRITERIA) return undefined;
  return { kind: kind === ERC721 ? 'erc721' : 'erc1155', token, id };
}

/** Collects what the offerer gives at most and gets at least. */
function collect(order: Struct, { findings: { effects }, view: { signer } }: TypedScene): void {
  const offerer = addressOf(order, 'offerer');
  const amounts = (item: Struct): [bigint, bigint] => {
    const [start, end] = [uintOf(item, 'startAmount'), uintOf(item, 'endAmount')];
    return start < end ? [start, end] : [end, start];
  };
  for (const item of listOf(order, 'offer')) {
    const asset = assetOf(item);
    if (asset !== undefined) effects.move(signer, { from: offerer, to: undefined }, asset, amounts(item)[1]);
  }
  for (const item of listOf(order, 'consideration')) {
    const [asset, to] = [assetOf(item), addressOf(item, 'recipient')];
    if (asset !== undefined && isSameAddress(to, offerer))
      effects.move(signer, { from: undefined, to }, asset, amounts(item)[0]);
  }
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

const givenAway = (offerer: Hex, signer: Hex): string =>
  isSameAddress(offerer, signer)
    ? 'This order gives your items away. You receive nothing in return.'
    : `This order gives items of ${shortAddress(offerer)} away. That account receives nothing in return.`;

function checkOrders(orders: readonly Struct[], scene: TypedScene): void {
  const { findings, view } = scene;
  const { signer } = view;
  for (const order of orders) {
    collect(order, scene);
    if (givesForNothing(order))
      findings.danger('nothing-in-return', () => givenAway(addressOf(order, 'offerer'), signer));
  }
  if (orders.some((order) => !isEmpty(order) && !isSameAddress(addressOf(order, 'offerer'), signer)))
    findings.warn('An order is offered by another account, not by the one you are signing with.');
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
    read: (order, scene) => {
      checkOrders([order], scene);
      return { title: 'Place an order', lines: orderLines(order, scene) };
    },
  },
  {
    type: (types: TypedDataTypes, primaryType: string) =>
      primaryType === 'BulkOrder' &&
      /^BulkOrder\(OrderComponents(?:\[2\])+ tree\)/u.test(encodeType(types, primaryType)) &&
      encodeType(types, COMPONENTS) === COMPONENTS_TYPE,
    read: ({ tree }, scene) => {
      const orders = leaves(tree).filter((order) => !isEmpty(order));
      checkOrders(orders, scene);
      return { title: 'Place several orders', lines: bulkLines(orders, scene) };
    },
  },
];
