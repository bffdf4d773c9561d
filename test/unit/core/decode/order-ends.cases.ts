import { type Hex } from '../../../../src/core/eth/bytes';
import { between, tokenTerm } from '../../../../src/core/decode/rules/messages/orders/order-rule';
import { ALICE, BOB, explainTyped, ME, NOW, saying, typedData, USDC } from '../../../support/explaining';

const SEAPORT: Hex = '0x0000000000000068F116a894984e2DB1123eB395';
const WORD: Hex = `0x${'00'.repeat(32)}`;
const ORDER =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)';
const ITEMS =
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';
const item = { itemType: 1, token: USDC, identifierOrCriteria: '0', startAmount: '5', endAmount: '5' };
const order = (end: bigint) => ({
  ...{ offerer: ME, zone: ALICE, orderType: 0, startTime: '0', endTime: `${end}`, salt: '1', counter: '0' },
  ...{ zoneHash: WORD, conduitKey: WORD, offer: [item], consideration: [{ ...item, recipient: ME }] },
});
const domain = (contract: Hex) => ({ name: 'Seaport', version: '1.6', chainId: 1, verifyingContract: contract });
const one = (end: bigint, contract = SEAPORT) =>
  explainTyped(typedData(`${ORDER}${ITEMS}`, domain(contract), order(end)));
const two = (...ends: readonly [bigint, bigint]) =>
  explainTyped(
    typedData(`BulkOrder(OrderComponents[2] tree)${ITEMS}${ORDER}`, domain(SEAPORT), { tree: ends.map(order) }),
  );

const [SOON, LATER] = [NOW + 3_600n, NOW + 7_200n];

describe('an order for a contract that nobody knows', () => {
  it('has no end to rely on, and is said to look like one', () => {
    expect(one(SOON, BOB).usable).toEqual({ until: undefined });
    expect(saying(one(SOON, BOB))).toContain('This looks like an order of Seaport, but it is for a contract');
  });
});

describe('the end of a signature', () => {
  it('of one order is the end of the order, if its contract keeps to it', () => {
    expect(one(SOON).usable).toEqual({ until: SOON });
    expect(saying(one(SOON))).not.toContain('This looks like');
  });

  it('of several orders is the end of the last: the signature can be used until then', () => {
    expect(two(SOON, LATER).usable).toEqual({ until: LATER });
    expect(two(LATER, SOON).usable).toEqual({ until: LATER });
    expect(two(SOON, SOON).usable).toEqual({ until: SOON });
  });
});

describe('an amount of an order', () => {
  it.each([
    [3n, 8n, { least: 3n, most: 8n, isRising: true }],
    [8n, 3n, { least: 3n, most: 8n, isRising: false }],
    [5n, 5n, { least: 5n, most: 5n, isRising: false }],
  ])('from %s to %s rises or falls', (start, end, term) => {
    expect(between(start, end)).toEqual(term);
  });

  it('is of the coin where the token is 0xeeee…, however it is written', () => {
    expect(tokenTerm(`0x${'Ee'.repeat(20)}`, 1n).asset).toEqual({ kind: 'native' });
    expect(tokenTerm(USDC, 1n).asset).toEqual({ kind: 'erc20', token: USDC });
  });
});
