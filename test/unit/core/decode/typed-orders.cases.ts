import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, ME, typedData, USDC } from '../../../support/explaining';
import { at, describeRows, type Row, SOON, WORD } from './typed-rows';

const ZERO: Hex = '0x0000000000000000000000000000000000000000';
const SEAPORT: Hex = '0x0000000000000068F116a894984e2DB1123eB395';
const ORDER_STRUCTS =
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)' +
  'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';
const COMPONENTS =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)';
const item = (itemType: number, token: Hex, id: number, amount: string, recipient?: Hex) => ({
  itemType,
  token,
  identifierOrCriteria: id,
  startAmount: amount,
  endAmount: amount,
  ...(recipient !== undefined && { recipient }),
});
const order = (offer: unknown[], consideration: unknown[], offerer = ME) => ({
  offerer,
  zone: ZERO,
  offer,
  consideration,
  orderType: 0,
  startTime: 0,
  endTime: SOON,
  zoneHash: WORD,
  salt: 1,
  conduitKey: WORD,
  counter: 0,
});
const seaport = (message: object) =>
  typedData(COMPONENTS + ORDER_STRUCTS, at(SEAPORT, 'Seaport'), message as Record<string, unknown>);

const ROWS: readonly Row[] = [
  [
    'an order that sells',
    seaport(
      order(
        [item(2, ALICE, 7, '1')],
        [item(0, ZERO, 0, '950000000000000000', ME), item(0, ZERO, 0, '50000000000000000', BOB)],
      ),
    ),
    ['Gives: 1', 'Token ID: 7', 'Receives: 0.95 ETH', 'Pays: 0.05 ETH', `Recipient: ${BOB}`],
  ],
  ['an order that gives items away', seaport(order([item(2, ALICE, 7, '1')], [])), ['Gives: 1'], ['nothing-in-return']],
  [
    'an order that pays another account',
    seaport(order([item(1, USDC, 0, '5500000')], [item(0, ZERO, 0, '1', BOB)])),
    ['Gives: 5.5 USDC'],
    ['nothing-in-return'],
  ],
  [
    'an order that returns an amount of zero',
    seaport(order([item(2, ALICE, 7, '1')], [item(0, ZERO, 0, '0', ME)])),
    [],
    ['nothing-in-return'],
  ],
  [
    'an order of another account',
    seaport(order([item(4, ALICE, 7, '1')], [item(0, ZERO, 0, '1', BOB)], BOB)),
    ['offered by another account', 'Token ID: any, or one of a list'],
  ],
  [
    'a bulk order in which one order gives items away',
    typedData(`BulkOrder(OrderComponents[2][2] tree)${COMPONENTS}${ORDER_STRUCTS}`, at(SEAPORT), {
      tree: [
        [order([item(2, ALICE, 7, '1')], [item(0, ZERO, 0, '1', ME)]), order([item(2, ALICE, 8, '1')], [])],
        [order([], [], ZERO), order([], [], ZERO)],
      ],
    }),
    ['Orders: 2', 'Token ID: 7', 'Token ID: 8'],
    ['nothing-in-return'],
  ],
];

describeRows(ROWS);
