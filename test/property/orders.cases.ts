import fc from 'fast-check';

import { type Hex } from '../../src/core/eth/bytes';
import { type TypedData } from '../../src/core/eth/typed-data';
import { BOB, codesOf, explainTyped, ME, NOW, typedData, USDC } from '../support/explaining';
import { fuzzing } from '../support/fuzz';
import { termsSaid } from '../support/order-rows';

/**
 * Random orders of each protocol are filled at the worst terms that its contract accepts. What the account then loses
 * and gains, and what others gain, has to be what the rows say.
 */

const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const STRANGER: Hex = '0x66666666666666666666666666666666DEaDbeef';
const APES: Hex = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
const ZERO: Hex = '0x0000000000000000000000000000000000000000';
const COIN: Hex = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const WORD: Hex = `0x${'00'.repeat(32)}`;
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const UNTIL = Number(NOW) + 86_400;

/** What moves when an order is filled: from whom to whom; the filler is `undefined`. */
type Transfer = { readonly asset: string; readonly amount: bigint; readonly from?: Hex; readonly to?: Hex };
type Filled = { readonly data: TypedData; readonly transfers: readonly Transfer[] };

/** The balances that change, by account and asset. */
function changesOf(transfers: readonly Transfer[], account: Hex): Record<string, bigint> {
  const changes: Record<string, bigint> = {};
  for (const { asset, amount, from, to } of transfers)
    for (const [party, sign] of [
      [from, -1n],
      [to, 1n],
    ] as const)
      if (party?.toLowerCase() === account.toLowerCase()) changes[asset] = (changes[asset] ?? 0n) + sign * amount;
  return Object.fromEntries(Object.entries(changes).filter(([, amount]) => amount !== 0n));
}

/** The payees besides the account and the one who fills the order. */
const payeesOf = (transfers: readonly Transfer[]): Hex[] => [
  ...new Set(transfers.flatMap(({ to }) => (to === undefined || to === ME ? [] : [to]))),
];

const amount = fc.bigInt({ min: 1_000_000n, max: 10n ** 24n });
const payee = fc.constantFrom<Hex>(ME, STRANGER);
const at = (verifyingContract: Hex) => ({ name: 'Name', version: '1', chainId: 1, verifyingContract });
const text = (all: object): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(all, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  ) as Record<string, unknown>;

/** A linear auction, tried at every tenth of its time, as its contract computes it. */
const course = (start: bigint, end: bigint): bigint[] =>
  Array.from({ length: 11 }, (_, step) => start + ((end - start) * BigInt(step)) / 10n);
const highest = (all: readonly bigint[]): bigint => all.reduce((a, b) => (a > b ? a : b));
const lowest = (all: readonly bigint[]): bigint => all.reduce((a, b) => (a < b ? a : b));

const ITEM = 'Item(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount';
const seaport = fc
  .record({ price: fc.tuple(amount, amount), fee: amount, id: fc.bigInt({ min: 1n, max: 10_000n }), to: payee })
  .map(({ price: [start, end], fee, id, to }): Filled => {
    const item = (itemType: number, token: Hex, identifier: bigint, from: bigint, until: bigint) => ({
      itemType,
      token,
      identifierOrCriteria: identifier,
      startAmount: from,
      endAmount: until,
    });
    return {
      data: typedData(
        `OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)Consideration${ITEM},address recipient)Offer${ITEM})`,
        at('0x0000000000000068F116a894984e2DB1123eB395'),
        text({
          offerer: ME,
          zone: ZERO,
          offer: [item(2, APES, id, 1n, 1n)],
          consideration: [
            { ...item(0, ZERO, 0n, start, end), recipient: to },
            { ...item(0, ZERO, 0n, fee, fee), recipient: BOB },
          ],
          orderType: 0,
          startTime: 0,
          endTime: UNTIL,
          zoneHash: WORD,
          salt: 1,
          conduitKey: WORD,
          counter: 0,
        }),
      ),
      transfers: [
        { asset: `APES#${id}`, amount: 1n, from: ME },
        { asset: 'ETH', amount: lowest(course(start, end)), to },
        { asset: 'ETH', amount: fee, to: BOB },
      ],
    };
  });

const INFO =
  'OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)';
const OUTPUT = 'DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)';
const PERMISSION = 'TokenPermissions(address token,uint256 amount)';
const uniswapx = fc
  .record({
    input: fc.tuple(amount, amount),
    output: fc.tuple(amount, amount),
    fee: amount,
    to: payee,
    isV2: fc.boolean(),
  })
  .map(({ input, output, fee, to, isV2 }): Filled => {
    const reactor: Hex = isV2
      ? '0x00000011F84B9aa48e5f8aA8B9897600006289Be'
      : '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4';
    const name = isV2 ? 'V2DutchOrder' : 'ExclusiveDutchOrder';
    const type = isV2
      ? 'V2DutchOrder(OrderInfo info,address cosigner,address baseInputToken,uint256 baseInputStartAmount,uint256 baseInputEndAmount,DutchOutput[] baseOutputs)'
      : 'ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)';
    const structs = isV2 ? OUTPUT + INFO + PERMISSION + type : OUTPUT + type + INFO + PERMISSION;
    const outputs = [
      { token: WETH, startAmount: output[0], endAmount: output[1], recipient: to },
      { token: WETH, startAmount: fee, endAmount: fee, recipient: BOB },
    ];
    const terms = isV2
      ? {
          cosigner: BOB,
          baseInputToken: USDC,
          baseInputStartAmount: input[0],
          baseInputEndAmount: input[1],
          baseOutputs: outputs,
        }
      : {
          decayStartTime: 1,
          decayEndTime: 2,
          exclusiveFiller: ZERO,
          exclusivityOverrideBps: 0,
          inputToken: USDC,
          inputStartAmount: input[0],
          inputEndAmount: input[1],
          outputs,
        };
    return {
      data: typedData(
        `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,${name} witness)${structs}`,
        { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
        text({
          permitted: { token: USDC, amount: highest(course(...input)) },
          spender: reactor,
          nonce: 1,
          deadline: UNTIL,
          witness: {
            info: {
              reactor,
              swapper: ME,
              nonce: 1,
              deadline: UNTIL,
              additionalValidationContract: ZERO,
              additionalValidationData: '0x',
            },
            ...terms,
          },
        }),
      ),
      transfers: [
        { asset: 'USDC', amount: highest(course(...input)), from: ME },
        { asset: 'WETH', amount: lowest(course(...output)), to },
        { asset: 'WETH', amount: fee, to: BOB },
      ],
    };
  });

const swap = fc.record({ give: amount, get: amount, to: payee });
const inch = swap.map(({ give, get, to }): Filled => ({
  data: typedData(
    'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
    at('0x111111125421cA6dc452d289314280a0f8842A65'),
    text({
      salt: 1,
      maker: ME,
      receiver: to === ME ? ZERO : to,
      makerAsset: USDC,
      takerAsset: WETH,
      makingAmount: give,
      takingAmount: get,
      makerTraits: 0,
    }),
  ),
  transfers: [
    { asset: 'USDC', amount: give, from: ME },
    { asset: 'WETH', amount: get, to },
  ],
}));
const cow = fc.tuple(swap, amount, fc.boolean()).map(([{ give, get, to }, feeAmount, isCoin]): Filled => ({
  data: typedData(
    'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
    at('0x9008D19f58AAbD9eD0D60971565AA8510560ab41'),
    text({
      sellToken: USDC,
      buyToken: isCoin ? COIN : WETH,
      receiver: to,
      sellAmount: give,
      buyAmount: get,
      validTo: UNTIL,
      appData: WORD,
      feeAmount,
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    }),
  ),
  // The contract takes the fee besides what is sold.
  transfers: [
    { asset: 'USDC', amount: give, from: ME },
    { asset: 'USDC', amount: feeAmount, from: ME },
    { asset: isCoin ? 'ETH' : 'WETH', amount: get, to },
  ],
}));
const zeroX = fc.tuple(swap, fc.boolean()).map(([{ give, get }, isMaker]): Filled => ({
  data: typedData(
    'OtcOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,uint256 expiryAndNonce)',
    at('0xDef1C0ded9bec7F1a1670819833240f027b25EfF'),
    text({
      makerToken: isMaker ? USDC : WETH,
      takerToken: isMaker ? WETH : USDC,
      makerAmount: isMaker ? give : get,
      takerAmount: isMaker ? get : give,
      maker: isMaker ? ME : BOB,
      taker: isMaker ? BOB : ME,
      txOrigin: BOB,
      expiryAndNonce: BigInt(UNTIL) << 192n,
    }),
  ),
  transfers: [
    { asset: 'USDC', amount: give, from: ME },
    { asset: 'WETH', amount: get, to: ME },
  ],
}));
const bebop = fc
  .tuple(swap, fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 3 }))
  .map(([{ to }, shares]): Filled => ({
    data: typedData(
      'AggregateOrder(uint64 partner_id,uint256 expiry,address taker_address,address[] maker_addresses,uint256[] maker_nonces,address[][] taker_tokens,address[][] maker_tokens,uint256[][] taker_amounts,uint256[][] maker_amounts,address receiver,bytes commands)',
      at('0xbbbbbBB520d69a9775E85b458C58c648259FAD5F'),
      text({
        partner_id: 0,
        expiry: UNTIL,
        taker_address: ME,
        maker_addresses: shares.map(() => BOB),
        maker_nonces: shares.map((_, index) => index),
        taker_tokens: shares.map(() => [USDC]),
        maker_tokens: shares.map(() => [WETH]),
        taker_amounts: shares.map(([give]) => [give]),
        maker_amounts: shares.map(([, get]) => [get]),
        receiver: to,
        commands: '0x',
      }),
    ),
    transfers: shares.flatMap(([give, get]) => [
      { asset: 'USDC', amount: give, from: ME },
      { asset: 'WETH', amount: get, to },
    ]),
  }));
const element = fc
  .record({ price: amount, fee: amount, id: fc.bigInt({ min: 1n, max: 10_000n }), isSale: fc.boolean() })
  .map(({ price, fee, id, isSale }): Filled => {
    const FEES = 'Fee(address recipient,uint256 amount,bytes feeData)';
    const START =
      'address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,address nft,uint256 nftId,';
    return {
      data: typedData(
        isSale
          ? `NFTSellOrder(${START}uint256 hashNonce)${FEES}`
          : `NFTBuyOrder(${START}Property[] nftProperties,uint256 hashNonce)${FEES}Property(address propertyValidator,bytes propertyData)`,
        at('0x20F780A973856B93f63670377900C1d2a50a77c4'),
        text({
          maker: ME,
          taker: ZERO,
          expiry: (123n << 32n) | BigInt(UNTIL),
          nonce: 1,
          erc20Token: WETH,
          erc20TokenAmount: price,
          fees: [{ recipient: BOB, amount: fee, feeData: '0x' }],
          nft: APES,
          nftId: id,
          ...(!isSale && { nftProperties: [] }),
          hashNonce: 0,
        }),
      ),
      // Whoever buys pays the fee on top of the price.
      transfers: isSale
        ? [
            { asset: `APES#${id}`, amount: 1n, from: ME },
            { asset: 'WETH', amount: price, to: ME },
            { asset: 'WETH', amount: fee, to: BOB },
          ]
        : [
            { asset: 'WETH', amount: price, from: ME },
            { asset: 'WETH', amount: fee, from: ME, to: BOB },
            { asset: `APES#${id}`, amount: 1n, to: ME },
          ],
    };
  });
const blur = fc
  .record({
    price: amount,
    rates: fc.array(fc.bigInt({ min: 1n, max: 2_000n }), { maxLength: 3 }),
    id: fc.bigInt({ min: 1n, max: 10_000n }),
  })
  .map(({ price, rates, id }): Filled => ({
    data: typedData(
      'Order(address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce)Fee(uint16 rate,address recipient)',
      at('0x000000000000Ad05Ccc4F10045630fb830B95127'),
      text({
        trader: ME,
        side: 1,
        matchingPolicy: BOB,
        collection: APES,
        tokenId: id,
        amount: 1,
        paymentToken: ZERO,
        price,
        listingTime: 0,
        expirationTime: UNTIL,
        fees: rates.map((rate) => ({ rate, recipient: BOB })),
        salt: 0,
        extraParams: '0x',
        nonce: 0,
      }),
    ),
    // The fees are taken from the price, one after another, each rounded down.
    transfers: [
      { asset: `APES#${id}`, amount: 1n, from: ME },
      ...rates.map((rate): Transfer => ({ asset: 'ETH', amount: (price * rate) / 10_000n, to: BOB })),
      { asset: 'ETH', amount: rates.reduce((left, rate) => left - (price * rate) / 10_000n, price), to: ME },
    ],
  }));

describe('orders', () => {
  it.each([
    ['Seaport', seaport],
    ['UniswapX', uniswapx],
    ['1inch', inch],
    ['CoW Protocol', cow],
    ['0x', zeroX],
    ['Bebop', bebop],
    ['Element', element],
    ['Blur', blur],
  ])('the rows say what the account loses and gains at the worst, and who is paid: %s', (_name, orders) => {
    fc.assert(
      fc.property(orders, ({ data, transfers }) => {
        const explanation = explainTyped(data);
        const { own, others } = termsSaid(explanation);
        expect(own).toEqual(changesOf(transfers, ME));
        for (const to of payeesOf(transfers)) expect(others[to.toLowerCase()]).toEqual(changesOf(transfers, to));
        // Somebody else who gets everything is a danger.
        if (transfers.every(({ to }) => to !== ME)) expect(codesOf(explanation)).toContain('paid-to-another');
      }),
      fuzzing(150),
    );
  });
});
