import fc from 'fast-check';
import { encodeFunctionData, type Hex, hexToBigInt, numberToHex, parseAbi, slice } from 'viem';

import { typedData } from '../../explaining';
import { amount, DAY, type Market, partOf, parts, payee, text } from './market';
import { ACCOUNT, compiledContract, FILLER, type Moment, type Placed, USDC, WETH, ZERO } from './world';

const PROTOCOL: Hex = '0x111111125421cA6dc452d289314280a0f8842A65';
const TYPE =
  'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)';
const ABI = parseAbi([
  'struct Order { uint256 salt; uint256 maker; uint256 receiver; uint256 makerAsset; uint256 takerAsset; uint256 makingAmount; uint256 takingAmount; uint256 makerTraits; }',
  'function fillOrder(Order order, bytes32 r, bytes32 vs, uint256 amount, uint256 takerTraits) payable',
]);

/** Bits of `makerTraits`. */
const EXPIRY_AT = 80n;
const NONCE_AT = 120n;
const UNWRAP = 1n << 247n;
const MULTIPLE = 1n << 254n;
const NO_PARTIAL = 1n << 255n;
/** The amount of the call is what the maker gives. */
const MAKING_AMOUNT = 1n << 255n;

type Terms = {
  readonly give: bigint;
  readonly get: bigint;
  readonly to: Hex;
  readonly isUnwrapped: boolean;
  readonly isMultiple: boolean;
  readonly part: bigint;
};

function placed({ give, get, to, isUnwrapped, isMultiple, part }: Terms, { now, serial }: Moment): Placed {
  const filled = isMultiple ? partOf(give, part) : give;
  const order = {
    salt: serial,
    maker: ACCOUNT,
    receiver: to === ACCOUNT ? ZERO : to,
    makerAsset: USDC,
    takerAsset: WETH,
    makingAmount: give,
    takingAmount: get,
    makerTraits:
      (isMultiple ? MULTIPLE : NO_PARTIAL) |
      (isUnwrapped ? UNWRAP : 0n) |
      ((now + DAY) << EXPIRY_AT) |
      (serial << NONCE_AT),
  };
  return {
    isPart: filled < give,
    data: typedData(
      TYPE,
      { name: '1inch Limit Order Protocol', version: '4', chainId: 1, verifyingContract: PROTOCOL },
      text(order),
    ),
    fill: (signature) => {
      const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), slice(signature, 64)];
      // EIP-2098: the parity is the highest bit of s.
      const vs = numberToHex(hexToBigInt(s) | (BigInt(hexToBigInt(v) - 27n) << 255n), { size: 32 });
      const number = (address: Hex): bigint => hexToBigInt(address);
      return {
        to: PROTOCOL,
        value: 0n,
        data: encodeFunctionData({
          abi: ABI,
          functionName: 'fillOrder',
          args: [
            {
              ...order,
              maker: number(order.maker),
              receiver: number(order.receiver),
              makerAsset: number(order.makerAsset),
              takerAsset: number(order.takerAsset),
            },
            r,
            vs,
            filled,
            MAKING_AMOUNT,
          ],
        }),
      };
    },
  };
}

/** 1inch's limit orders of version 4 of the protocol, which is a part of version 6 of its router. */
export const INCH_MARKET: Market = {
  name: '1inch',
  deploy: async ({ place, approve }) => {
    await place(PROTOCOL, compiledContract('LimitOrderProtocol'), [WETH]);
    for (const party of [ACCOUNT, FILLER]) await approve(party, PROTOCOL);
  },
  orders: fc
    .record({ give: amount, get: amount, to: payee, isUnwrapped: fc.boolean(), isMultiple: fc.boolean(), part: parts })
    .map((terms) => (moment: Moment) => placed(terms, moment)),
};

const PROTOCOL_5: Hex = '0x1111111254EEB25477B68fb85Ed929f73A960582';
const MEMBERS_5 =
  'uint256 salt,address makerAsset,address takerAsset,address maker,address receiver,address allowedSender,uint256 makingAmount,uint256 takingAmount,uint256 offsets,bytes interactions';
const ABI_5 = parseAbi([
  `struct Order { ${MEMBERS_5.replaceAll(',', '; ')}; }`,
  'function fillOrder(Order order, bytes signature, bytes interaction, uint256 makingAmount, uint256 takingAmount, uint256 threshold) payable',
] as never);

type RfqTerms = Pick<Terms, 'give' | 'get' | 'part'> & {
  readonly isForFiller: boolean;
  readonly isEndless: boolean;
};
type Terms5 = Pick<Terms, 'give' | 'get' | 'to' | 'part'> & { readonly isForFiller: boolean };

function placed5({ give, get, to, part, isForFiller }: Terms5, { serial }: Moment): Placed {
  const filled = partOf(give, part);
  const order = {
    salt: serial,
    makerAsset: USDC,
    takerAsset: WETH,
    maker: ACCOUNT,
    receiver: to === ACCOUNT ? ZERO : to,
    allowedSender: isForFiller ? FILLER : ZERO,
    makingAmount: give,
    takingAmount: get,
    offsets: 0n,
    interactions: '0x',
  };
  return {
    isPart: filled < give,
    isEndless: true,
    data: typedData(
      `Order(${MEMBERS_5})`,
      { name: '1inch Limit Order Protocol', version: '3', chainId: 1, verifyingContract: PROTOCOL_5 },
      text(order),
    ),
    fill: (signature) => ({
      to: PROTOCOL_5,
      value: 0n,
      data: encodeFunctionData({
        abi: ABI_5,
        functionName: 'fillOrder',
        args: [order, signature, '0x', filled, 0n, get],
      } as never),
    }),
  };
}

const MEMBERS_RFQ =
  'uint256 info,address makerAsset,address takerAsset,address maker,address allowedSender,uint256 makingAmount,uint256 takingAmount';
const ABI_RFQ = parseAbi([
  `struct Order { ${MEMBERS_RFQ.replaceAll(',', '; ')}; }`,
  'function fillOrderRFQ(Order order, bytes signature, uint256 flagsAndAmount) payable',
] as never);
/** Where `info` has the expiry, above the number of the order. */
const RFQ_EXPIRY_AT = 64n;

function placedRfq({ give, get, part, isForFiller, isEndless }: RfqTerms, { now, serial }: Moment): Placed {
  const filled = partOf(give, part);
  const order = {
    info: (isEndless ? 0n : (now + DAY) << RFQ_EXPIRY_AT) | serial,
    makerAsset: USDC,
    takerAsset: WETH,
    maker: ACCOUNT,
    allowedSender: isForFiller ? FILLER : ZERO,
    makingAmount: give,
    takingAmount: get,
  };
  return {
    isPart: filled < give,
    isEndless,
    data: typedData(
      `OrderRFQ(${MEMBERS_RFQ})`,
      { name: '1inch Limit Order Protocol', version: '3', chainId: 1, verifyingContract: PROTOCOL_5 },
      text(order),
    ),
    fill: (signature) => ({
      to: PROTOCOL_5,
      value: 0n,
      data: encodeFunctionData({
        abi: ABI_RFQ,
        functionName: 'fillOrderRFQ',
        args: [order, signature, MAKING_AMOUNT | filled],
      } as never),
    }),
  };
}

const deploy5: Market['deploy'] = async ({ place, approve }) => {
  await place(PROTOCOL_5, compiledContract('LimitOrderProtocolV3'), [WETH]);
  for (const party of [ACCOUNT, FILLER]) await approve(party, PROTOCOL_5);
};

/** 1inch's orders of version 3 of the protocol, which is a part of version 5 of its router. */
export const INCH_5_MARKETS: readonly Market[] = [
  {
    name: '1inch 5',
    contract: 'LimitOrderProtocolV3',
    deploy: deploy5,
    orders: fc
      .record({ give: amount, get: amount, to: payee, part: parts, isForFiller: fc.boolean() })
      .map((terms) => (moment: Moment) => placed5(terms, moment)),
  },
  {
    name: '1inch 5, RFQ',
    contract: 'LimitOrderProtocolV3',
    deploy: deploy5,
    orders: fc
      .record({ give: amount, get: amount, part: parts, isForFiller: fc.boolean(), isEndless: fc.boolean() })
      .map((terms) => (moment: Moment) => placedRfq(terms, moment)),
  },
];
