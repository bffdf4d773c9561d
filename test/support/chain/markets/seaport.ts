import fc from 'fast-check';
import { concat, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi } from 'viem';

import { type TypedData } from '../../../../src/core/eth/typed-data';
import { typedData } from '../../explaining';
import { amount, DAY, least, type Market, most, payee, structHash, text } from './market';
import {
  ACCOUNT,
  APES,
  type Artifact,
  factoryCode,
  FILLER,
  ITEM_ID,
  ITEMS,
  marketFile,
  type Moment,
  type Placed,
  SERVICE,
  USDC,
  WETH,
  WORD,
  ZERO,
} from './world';

/** A version of the protocol, its contract on Ethereum, and files of a package of that time. */
type Version = {
  readonly version: string;
  readonly seaport: Hex;
  readonly artifact: string;
  readonly controller: string;
};
const CURRENT: Version = {
  version: '1.6',
  seaport: '0x0000000000000068F116a894984e2DB1123eB395',
  artifact: '@opensea/seaport-js@4.3.0/src/artifacts/seaport/contracts/Seaport.sol/Seaport.json',
  controller:
    '@opensea/seaport-js@4.3.0/lib/typechain-types/factories/seaport/contracts/conduit/ConduitController.sol/LocalConduitController__factory.js',
};
const BEFORE: Version = {
  version: '1.5',
  seaport: '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
  artifact: '@opensea/seaport-js@3.0.2/src/artifacts/seaport_v1_5/contracts/Seaport.sol/Seaport.json',
  controller:
    '@opensea/seaport-js@3.0.2/lib/typechain-types/factories/seaport_v1_5/contracts/conduit/ConduitController__factory.js',
};

const OFFERED = 'uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount;';
const ABI = parseAbi([
  `struct OfferItem { ${OFFERED} }`,
  `struct ConsiderationItem { ${OFFERED} address recipient; }`,
  'struct OrderParameters { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 totalOriginalConsiderationItems; }',
  'struct Order { OrderParameters parameters; bytes signature; }',
  'function fulfillOrder(Order order, bytes32 fulfillerConduitKey) payable returns (bool)',
]);

const ITEM = 'Item(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount';
const COMPONENTS = `OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)Consideration${ITEM},address recipient)Offer${ITEM})`;

type Item = {
  readonly itemType: number;
  readonly token: Hex;
  readonly identifierOrCriteria: bigint;
  readonly startAmount: bigint;
  readonly endAmount: bigint;
};
const item = (
  itemType: number,
  token: Hex,
  identifierOrCriteria: bigint,
  [startAmount, endAmount]: readonly [bigint, bigint],
): Item => ({ itemType, token, identifierOrCriteria, startAmount, endAmount });

type Terms = {
  readonly offer: readonly Item[];
  readonly consideration: readonly (Item & { readonly recipient: Hex })[];
  /** An auction whose worst price is in its last second. */
  readonly isWorstAtEnd: boolean;
  readonly slack: bigint;
  readonly feeSlack?: bigint;
  readonly ape?: Placed['ape'];
};

/** The typed data, the call, and the place in a tree of orders, if it is in one. */
function placed(
  { offer, consideration, isWorstAtEnd, slack, feeSlack, ape }: Terms,
  { now, serial }: Moment,
  { version, seaport }: Version,
  isBulk: boolean,
): Placed {
  const domain = { name: 'Seaport', version, chainId: 1, verifyingContract: seaport };
  const order = {
    offerer: ACCOUNT,
    zone: ZERO,
    offer,
    consideration,
    orderType: 0,
    startTime: isWorstAtEnd ? now + 1n - DAY : now,
    endTime: isWorstAtEnd ? now + 1n : now + DAY,
    zoneHash: WORD,
    salt: serial,
    conduitKey: WORD,
    counter: 0n,
  };
  const coins = [...consideration].filter(({ itemType }) => itemType === 0);
  const nothing = { ...order, offer: [], consideration: [], offerer: ZERO, startTime: 0n, endTime: 0n, salt: 0n };
  const single = typedData(COMPONENTS, domain, text(order));
  const bulk = typedData(`BulkOrder(OrderComponents[2][2] tree)${COMPONENTS}`, domain, {
    tree: [
      [text(nothing), text(order)],
      [text(nothing), text(nothing)],
    ],
  });
  const fill = (signature: Hex) => ({
    to: seaport,
    value: coins.reduce((sum, { startAmount, endAmount }) => sum + most(startAmount, endAmount), 0n),
    data: encodeFunctionData({
      abi: ABI,
      functionName: 'fulfillOrder',
      args: [
        {
          parameters: { ...order, totalOriginalConsiderationItems: BigInt(consideration.length) },
          signature: isBulk ? concat([signature, numberToHex(1, { size: 3 }), ...proofOf(single, nothing)]) : signature,
        },
        WORD,
      ],
    }),
  });
  return {
    data: isBulk ? bulk : single,
    fill,
    slack,
    ...(feeSlack !== undefined && { feeSlack }),
    ...(ape && { ape }),
  };
}

/** The hashes beside the second leaf of four. The others are empty orders. */
function proofOf(single: TypedData, nothing: object): Hex[] {
  const leaf = structHash({ ...single, message: text(nothing) });
  return [leaf, keccak256(concat([leaf, leaf]))];
}

/** How far from its end an auction of a day is in its last second. */
const slackOf = (a: bigint, b: bigint): bigint => (most(a, b) - least(a, b)) / DAY + 1n;

const apes = (serial: bigint): Item => item(2, APES, serial, [1n, 1n]);

type Money = readonly [start: bigint, end: bigint];

/** Any price and fee, which may fall or rise. */
const anyPrice: fc.Arbitrary<{ price: Money; fee: Money }> = fc.record({
  price: fc.tuple(amount, amount),
  fee: fc.oneof(
    amount.map((fee) => [fee, fee] as const),
    fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 18n }), amount),
  ),
});
/** A fee that is small as the auction begins, and a large part of what is paid as it ends. */
const hiddenFee: fc.Arbitrary<{ price: Money; fee: Money }> = fc
  .record({
    price: fc.bigInt({ min: 10n ** 15n, max: 10n ** 22n }),
    parts: fc.bigInt({ min: 3n, max: 99n }),
    isRising: fc.boolean(),
  })
  .map(({ price, parts, isRising }) => {
    const fee = (price * parts) / 10n;
    return { price: [100n * price, price], fee: [isRising ? 0n : fee, fee] };
  });

/** A sale for coins or WETH. */
const sale = fc
  .record({ money: fc.oneof(anyPrice, hiddenFee), to: payee, isCoin: fc.boolean() })
  .map(({ money, ...more }) => ({ ...money, ...more }))
  .map(({ price, fee, to, isCoin }) => ({ serial }: Moment): Terms => {
    const [start, end] = price;
    const money = (bounds: Money): Item => (isCoin ? item(0, ZERO, 0n, bounds) : item(1, WETH, 0n, bounds));
    return {
      offer: [apes(serial)],
      consideration: [
        { ...money(price), recipient: to },
        { ...money(fee), recipient: SERVICE },
      ],
      feeSlack: most(...fee) - least(...fee),
      isWorstAtEnd: end < start,
      slack: end < start ? slackOf(start, end) : 0n,
      ape: { id: serial, holder: ACCOUNT },
    };
  });

/** An offer for an NFT, with a fee that the seller leaves to a service. */
const purchase = fc
  .record({ price: fc.tuple(amount, amount), fee: fc.bigInt({ min: 1n, max: 10n ** 14n }), to: payee })
  .map(({ price, fee, to }) => ({ serial }: Moment): Terms => {
    const [start, end] = price;
    return {
      offer: [item(1, WETH, 0n, price)],
      consideration: [
        { ...apes(serial), recipient: to },
        { ...item(1, WETH, 0n, [fee, fee]), recipient: SERVICE },
      ],
      isWorstAtEnd: end > start,
      slack: end > start ? slackOf(start, end) : 0n,
      ape: { id: serial, holder: FILLER },
    };
  });

/** Several assets on both sides, one of them twice, of which one amount may rise while the other falls. */
const swap = fc
  .record({
    usdc: amount,
    weth: fc.tuple(fc.tuple(amount, amount), fc.tuple(amount, amount)),
    count: fc.bigInt({ min: 2n, max: 1_000n }),
    coin: amount,
    to: payee,
  })
  .map(({ usdc, weth: [first, second], count, coin, to }) => (): Terms => {
    const [start, end] = [first[0] + second[0], first[1] + second[1]];
    return {
      offer: [item(1, USDC, 0n, [usdc, usdc]), item(3, ITEMS, ITEM_ID, [count, count])],
      consideration: [
        { ...item(1, WETH, 0n, first), recipient: to },
        { ...item(0, ZERO, 0n, [coin, coin]), recipient: ACCOUNT },
        { ...item(1, WETH, 0n, second), recipient: to },
      ],
      isWorstAtEnd: end < start,
      slack: end < start ? slackOf(...first) + slackOf(...second) : 0n,
    };
  });

const deploy =
  ({ seaport, artifact, controller }: Version): Market['deploy'] =>
  async (markets) => {
    const conduits = await markets.deploy({ abi: [], bytecode: factoryCode(controller) });
    await markets.place(seaport, JSON.parse(marketFile(artifact)) as Artifact, [conduits]);
    for (const party of [ACCOUNT, FILLER]) await markets.approve(party, seaport);
  };

const market = (name: string, version: Version, isBulk: boolean): Market => ({
  name,
  deploy: deploy(version),
  orders: fc
    .oneof(sale, purchase, swap)
    .map((terms) => (moment: Moment) => placed(terms(moment), moment, version, isBulk)),
});

/** Seaport 1.6 and 1.5, single orders and one in a tree of four. */
export const SEAPORT_MARKETS: readonly Market[] = [
  market('Seaport', CURRENT, false),
  market('Seaport, several in one signature', CURRENT, true),
  market('Seaport 1.5', BEFORE, false),
  market('Seaport 1.5, several in one signature', BEFORE, true),
];
