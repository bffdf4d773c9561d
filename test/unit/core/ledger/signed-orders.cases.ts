import { decodeFunctionData, type Hex } from 'viem';

import { type TypedData, typedDataDigest } from '../../../../src/core/eth/typed-data';
import { toHex } from '../../../../src/core/eth/bytes';
import { type Read } from '../../../../src/core/ledger/chain-state';
import { INCH_ABI } from '../../../../src/core/ledger/signed/abi';
import { formOf } from '../../../../src/core/ledger/signed/form';
import { keptMessage } from '../../../../src/core/ledger/signed/kept';
import { type Status } from '../../../../src/core/ledger/signed/status';
import { typedData } from '../../../support/explaining';
import { ACCOUNT, at, kept, statusOf, word } from '../../../support/kept-signatures';

const OTHER: Hex = `0x${'b2'.repeat(20)}`;
const TOKEN: Hex = `0x${'c3'.repeat(20)}`;
const LATER = '1800001000';
const MAX = 2n ** 256n - 1n;

/** What a contract answers to one call: words, or nothing. */
type Answer = readonly bigint[] | undefined;

const words = (values: Answer): Hex | undefined =>
  values && `0x${values.map((value) => word(value).slice(2)).join('')}`;

/** What is said of an order, if its contract gives some answers in this order. */
async function statusAfter(order: TypedData, ...answers: readonly Answer[]): Promise<Status> {
  const calls = (reads: readonly Read[]) => Promise.resolve(reads.map((_, index) => words(answers[index])));
  return statusOf(kept(order), undefined, { calls });
}

describe('orders of Seaport', () => {
  const SEAPORT: Hex = '0x0000000000000068F116a894984e2DB1123eB395';
  const ORDER =
    'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)';
  const ITEMS =
    'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';
  const components = (counter = '3', offerer = ACCOUNT) => ({
    ...{ offerer, zone: TOKEN, orderType: 0, startTime: '0', endTime: LATER, salt: '1', counter },
    ...{ zoneHash: word(0n), conduitKey: word(0n) },
    offer: [{ itemType: 1, token: TOKEN, identifierOrCriteria: '0', startAmount: '5', endAmount: '5' }],
    consideration: [
      { itemType: 0, token: TOKEN, identifierOrCriteria: '0', startAmount: '5', endAmount: '5', recipient: ACCOUNT },
    ],
  });
  const one = typedData(`${ORDER}${ITEMS}`, at(SEAPORT, 'Seaport'), components());
  const two = (second = components('4')) =>
    typedData(`BulkOrder(OrderComponents[2] tree)${ITEMS}${ORDER}`, at(SEAPORT, 'Seaport'), {
      tree: [components(), second],
    });

  it.each<[string, Status, Answer, Answer]>([
    ['that was only validated counts', 'counts', [3n], [1n, 0n, 0n, 0n]],
    ['that was filled in part counts', 'counts', [3n], [1n, 0n, 1n, 2n]],
    ['whose counter is to come counts', 'counts', [2n], [0n, 0n, 0n, 0n]],
    ['that was filled is gone', 'gone', [3n], [1n, 0n, 2n, 2n]],
    ['that was cancelled is gone, though nothing was filled', 'gone', [3n], [0n, 1n, 0n, 0n]],
    ['whose counter was passed is gone, whatever else is said', 'gone', [4n], undefined],
    ['of which nothing is said may be either', 'unknown', [3n], undefined],
    ['of which too little is said may be either', 'unknown', [3n], [0n, 1n, 2n]],
    ['whose counter nobody says may be either', 'unknown', undefined, [0n, 1n, 2n, 2n]],
  ])('one %s', async (_what, status, counter, order) => {
    expect(await statusAfter(one, counter, order)).toBe(status);
  });

  const [OPEN, FILLED] = [
    [1n, 0n, 0n, 0n],
    [1n, 0n, 2n, 2n],
  ] as const;
  it.each<[string, Status, bigint, Answer, Answer]>([
    ['still counts while one of them can be filled', 'counts', 3n, FILLED, OPEN],
    ['still counts, though nothing is said of the other', 'counts', 3n, undefined, OPEN],
    ['still counts while the counter of one is not passed', 'counts', 4n, OPEN, OPEN],
    ['is gone when all of them are', 'gone', 3n, FILLED, FILLED],
    ['may be either if one is filled and nothing is said of the other', 'unknown', 3n, FILLED, undefined],
  ])('a signature for two orders %s', async (_what, status, counter, ...orders) => {
    expect(await statusAfter(two(), [counter], ...orders)).toBe(status);
  });

  it('of another account are not checked by the counter of this one, not even as one of two', () => {
    expect(formOf(kept({ ...one, message: components('3', OTHER) }))).toBeUndefined();
    expect(formOf(kept(two(components('4', OTHER))))).toBeUndefined();
  });
});

describe('orders of CoW Protocol', () => {
  const COW =
    'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)';
  const order = (kind: 'buy' | 'sell') =>
    typedData(COW, at('0x9008D19f58AAbD9eD0D60971565AA8510560ab41', 'Gnosis Protocol'), {
      ...{ sellToken: TOKEN, buyToken: OTHER, receiver: ACCOUNT, sellAmount: '50', buyAmount: '70', kind },
      ...{ validTo: Number(LATER), appData: word(0n), feeAmount: '0', partiallyFillable: true },
      ...{ sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
    });

  it.each<[Parameters<typeof order>[0], bigint, Status]>([
    ['sell', 49n, 'counts'],
    ['sell', 50n, 'gone'],
    ['buy', 50n, 'counts'],
    ['buy', 69n, 'counts'],
    ['buy', 70n, 'gone'],
    // The contract writes this when an order is cancelled.
    ['sell', MAX, 'gone'],
  ])('to %s, of which %s is filled: it %s', async (kind, filled, status) => {
    expect(await statusAfter(order(kind), [filled])).toBe(status);
  });

  it('are looked up by their digest, owner and end', async () => {
    let data = '';
    const calls = (reads: readonly Read[]) => {
      data = reads.map((read) => read.data).join('');
      return Promise.resolve([word(0n)]);
    };
    await statusOf(kept(order('sell')), undefined, { calls });
    const uid = `${toHex(typedDataDigest(order('sell'))).slice(2)}${ACCOUNT.slice(2)}${Number(LATER).toString(16)}`;
    expect(data).toContain(uid);
  });
});

describe('orders of 1inch', () => {
  const INCH =
    'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)';
  const [NO_PARTS, MANY_FILLS, HAS_EPOCH] = [1n << 255n, 1n << 254n, 1n << 250n];
  /** Of number 258, which is bit 2 of the second word of its maker's map; in series 9. */
  const order = (traits: bigint, maker = ACCOUNT) =>
    typedData(INCH, at('0x111111125421cA6dc452d289314280a0f8842A65', '1inch Aggregation Router'), {
      ...{ salt: '1', maker, receiver: maker, makerAsset: TOKEN, takerAsset: OTHER },
      ...{ makingAmount: '5', takingAmount: '5', makerTraits: `${traits | (258n << 120n) | (9n << 160n)}` },
    });

  it.each<[string, bigint]>([
    ['can be filled once, also in part', 0n],
    ['can be filled once and as a whole', NO_PARTS],
    ['can be filled as a whole, though it names several fills', NO_PARTS | MANY_FILLS],
  ])('that %s are gone if their own bit is set, whatever the other bits are', async (_what, traits) => {
    expect(await statusAfter(order(traits), [4n])).toBe('gone');
    expect(await statusAfter(order(traits), [MAX])).toBe('gone');
    expect(await statusAfter(order(traits), [0n])).toBe('counts');
    expect(await statusAfter(order(traits), [MAX - 4n])).toBe('counts');
    expect(await statusAfter(order(traits), undefined)).toBe('unknown');
  });

  it('are followed only at their own contract, and as the account made them', async () => {
    const elsewhere = { ...order(0n), domain: { ...order(0n).domain, verifyingContract: TOKEN } };
    expect(await statusAfter(elsewhere, [4n])).toBe('unknown');
    expect(await statusAfter(order(0n, OTHER), [4n])).toBe('unknown');
  });

  it('that can be filled several times are gone if nothing remains, which the contract writes as all bits', async () => {
    expect(await statusAfter(order(MANY_FILLS), [MAX])).toBe('gone');
    // Of the amount, some remains; zero is an order that was never filled.
    for (const remaining of [0n, 4n, MAX - 1n])
      expect(await statusAfter(order(MANY_FILLS), [remaining])).toBe('counts');
  });

  it('with an epoch are gone when their maker is past it, and not when it is to come', async () => {
    const withEpoch = order(MANY_FILLS | HAS_EPOCH);
    expect(await statusAfter(withEpoch, [0n], [257n])).toBe('counts');
    expect(await statusAfter(withEpoch, [0n], [258n])).toBe('counts');
    expect(await statusAfter(withEpoch, [0n], [259n])).toBe('gone');
    expect(await statusAfter(withEpoch, [0n], undefined)).toBe('unknown');
    // Nothing remains: the epoch no longer matters.
    expect(await statusAfter(withEpoch, [MAX], undefined)).toBe('gone');
  });

  it.each<[string, bigint, unknown[]]>([
    ['once', 0n, [['bitInvalidatorForOrder', 1n]]],
    ['several times', MANY_FILLS, [['rawRemainingInvalidatorForOrder', toHex(typedDataDigest(order(MANY_FILLS)))]]],
    [
      'several times, with an epoch',
      MANY_FILLS | HAS_EPOCH,
      [
        ['rawRemainingInvalidatorForOrder', toHex(typedDataDigest(order(MANY_FILLS | HAS_EPOCH)))],
        ['epoch', 9n],
      ],
    ],
  ])('that can be filled %s are looked up where the contract keeps them', async (_what, traits, asked) => {
    const found: unknown[] = [];
    const calls = (reads: readonly Read[]) => {
      for (const { data } of reads) {
        const { functionName, args } = decodeFunctionData({ abi: INCH_ABI, data });
        found.push([functionName, args[1]]);
      }
      return Promise.resolve(reads.map(() => undefined));
    };
    await statusOf(kept(order(traits)), undefined, { calls });
    expect(found).toEqual(asked);
  });

  it('of another maker are not checked by what this one filled', () => {
    expect(formOf(kept(order(0n, OTHER)))).toBeUndefined();
  });
});

describe('a signature that is like one of a protocol', () => {
  const SEAPORT: Hex = '0x0000000000000068F116a894984e2DB1123eB395';
  const SETTLEMENT: Hex = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41';
  const ORDER =
    'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)';
  const CONSIDERATION =
    'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)';
  const OFFER =
    'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';
  const order = {
    ...{ offerer: ACCOUNT, zone: TOKEN, orderType: 0, startTime: '0', endTime: LATER, salt: '1', counter: '3' },
    ...{ zoneHash: word(0n), conduitKey: word(0n), consideration: [] },
    offer: [{ itemType: 1, token: TOKEN, identifierOrCriteria: '0', startAmount: '5', endAmount: '5' }],
  };
  const empty = { ...order, offerer: `0x${'0'.repeat(40)}`, offer: [] };
  const bulk = (items: string, tree: unknown) =>
    typedData(`BulkOrder(OrderComponents[2] tree)${items}${ORDER}`, at(SEAPORT, 'Seaport'), { tree });

  it('is followed if it fills its tree with empty orders, which are nobody’s', () => {
    const form = formOf(kept(bulk(`${CONSIDERATION}${OFFER}`, [order, empty])));
    expect(form).toMatchObject({ kind: 'seaport', orders: [{ counter: 3n }] });
  });

  it('is not followed if its items have another form', () => {
    /** As it is kept, whatever is said of it. */
    const form = (data: TypedData) => {
      const facts = { account: ACCOUNT, origin: 'https://dapp.example', at: 1, chainId: 'eip155:1' } as const;
      const hash = toHex(typedDataDigest(data));
      return formOf(keptMessage({ ...facts, hash, title: 'Order', isDangerous: true, until: undefined }, data));
    };
    const other = OFFER.replace('uint8 itemType', 'uint16 itemType');
    expect(form(bulk(`${CONSIDERATION}${OFFER}`, [order, order]))).toBeDefined();
    expect(form(bulk(`${CONSIDERATION}${other}`, [order, order]))).toBeUndefined();
    const single = (items: string) => typedData(`${ORDER}${items}`, at(SEAPORT, 'Seaport'), order);
    expect(form(single(`${CONSIDERATION}${OFFER}`))).toBeDefined();
    expect(form(single(`${CONSIDERATION}${other}`))).toBeUndefined();
  });

  it('is not followed at another contract, nor in another form at the contract of the protocol', () => {
    const COW =
      'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)';
    const swap = {
      ...{ sellToken: TOKEN, buyToken: OTHER, receiver: ACCOUNT, sellAmount: '50', buyAmount: '70', kind: 'sell' },
      ...{ validTo: Number(LATER), appData: word(0n), feeAmount: '0', partiallyFillable: true },
      ...{ sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
    };
    expect(formOf(kept(typedData(COW, at(SETTLEMENT, 'Gnosis Protocol'), swap)))).toMatchObject({ kind: 'cow' });
    expect(formOf(kept(typedData(COW, at(TOKEN, 'Gnosis Protocol'), swap)))).toBeUndefined();
    const other = COW.replace('uint32 validTo', 'uint40 validTo');
    expect(formOf(kept(typedData(other, at(SETTLEMENT, 'Gnosis Protocol'), swap)))).toBeUndefined();
  });
});
