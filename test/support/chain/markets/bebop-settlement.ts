import fc from 'fast-check';
import { concat, encodeFunctionData, type Hex, parseAbi } from 'viem';

import { typedDataDigest } from '../../../../src/core/eth/typed-data';
import { DEPLOYER } from '../anvil-rpc';
import { typedData } from '../../explaining';
import { amount, DAY, type Market, partOf, parts, payee, text } from './market';
import {
  ACCOUNT,
  type Artifact,
  FILLER,
  MARKET_FEES,
  type Markets,
  type Moment,
  OTHER,
  type Placed,
  repositoryFile,
  signAsOther,
  USDC,
  WETH,
  ZERO,
} from './world';

const SETTLEMENT: Hex = '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F';
const DOMAIN = { name: 'BebopSettlement', version: '2', chainId: 1, verifyingContract: SETTLEMENT };
const settlement = (): Artifact =>
  JSON.parse(repositoryFile('bebop-dex/bebop-jam-contracts', 'test/hardhat/blend/BebopSettlement.json')) as Artifact;

/** A partner who is registered with the contract, and its fee in hundredths of a percent. */
const PARTNER = 7n;
const PARTNER_FEE = 50;

/** What orders leave with the contract, others take from there. */
const LEFT = 10n ** 30n;

async function deploy({ place, approve, send }: Markets): Promise<void> {
  const contract = settlement();
  await place(SETTLEMENT, contract, [WETH, ZERO, ZERO]);
  const args = [PARTNER, PARTNER_FEE, MARKET_FEES];
  await send(DEPLOYER, {
    to: SETTLEMENT,
    data: encodeFunctionData({ abi: contract.abi, functionName: 'registerPartner', args }),
  });
  for (const party of [ACCOUNT, OTHER, FILLER]) await approve(party, SETTLEMENT);
  for (const token of [USDC, WETH])
    await send(FILLER, {
      to: token,
      data: encodeFunctionData({
        abi: parseAbi(['function transfer(address, uint256)']),
        args: [SETTLEMENT, LEFT],
      }),
    });
}

/** How an order moves a token: from side to side, as the coin, or by way of the contract. */
const TRANSFER: Hex = '0x00';
const AS_COIN: Hex = '0x04';
const TO_CONTRACT: Hex = '0x07';
const FROM_CONTRACT: Hex = '0x08';

type Kind = 'SingleOrder' | 'MultiOrder' | 'AggregateOrder';
type Terms = {
  readonly kind: Kind;
  readonly give: bigint;
  readonly get: bigint;
  readonly between: bigint;
  readonly to: Hex;
  readonly isMaker: boolean;
  readonly isCoin: boolean;
  /** What the taker gives comes from the contract. */
  readonly isLeft: boolean;
  readonly hasPartner: boolean;
  readonly part: bigint;
};

const MEMBERS: Readonly<Record<Kind, string>> = {
  SingleOrder:
    'address maker_address,uint256 maker_nonce,address taker_token,address maker_token,uint256 taker_amount,uint256 maker_amount,address receiver,uint256 packed_commands',
  MultiOrder:
    'address maker_address,uint256 maker_nonce,address[] taker_tokens,address[] maker_tokens,uint256[] taker_amounts,uint256[] maker_amounts,address receiver,bytes commands',
  AggregateOrder:
    'address[] maker_addresses,uint256[] maker_nonces,address[][] taker_tokens,address[][] maker_tokens,uint256[][] taker_amounts,uint256[][] maker_amounts,address receiver,bytes commands',
};
const signed = (kind: Kind, order: object) =>
  typedData(`${kind}(uint64 partner_id,uint256 expiry,address taker_address,${MEMBERS[kind]})`, DOMAIN, text(order));

/** The members of an order of a kind, in which the account takes or makes. */
function membersOf({ kind, give, get, between, to, isMaker, isCoin, isLeft }: Terms, { now, serial }: Moment) {
  const maker = isMaker ? ACCOUNT : OTHER;
  const start = { expiry: now + DAY, taker_address: isMaker ? FILLER : ACCOUNT };
  const receiver = isMaker ? FILLER : to;
  // The account gives USDC and gets WETH.
  const [taker, made] = isMaker
    ? [
        { token: WETH, amount: get },
        { token: USDC, amount: give },
      ]
    : [
        { token: USDC, amount: give },
        { token: WETH, amount: get },
      ];
  if (kind === 'SingleOrder')
    return {
      ...start,
      maker_address: maker,
      maker_nonce: 2n * serial,
      taker_token: taker.token,
      maker_token: made.token,
      taker_amount: taker.amount,
      maker_amount: made.amount,
      receiver,
      packed_commands: isCoin ? 2n : 0n,
    };
  if (kind === 'MultiOrder')
    return {
      ...start,
      maker_address: maker,
      maker_nonce: 2n * serial,
      taker_tokens: [taker.token],
      maker_tokens: [made.token],
      taker_amounts: [taker.amount],
      maker_amounts: [made.amount],
      receiver,
      commands: concat([isCoin ? AS_COIN : TRANSFER, isLeft ? FROM_CONTRACT : TRANSFER]),
    };
  // The first maker's WETH goes to the contract, which pays the second maker with it.
  return {
    ...start,
    maker_addresses: [maker, maker],
    maker_nonces: [2n * serial, 2n * serial + 1n],
    taker_tokens: [[USDC], [WETH]],
    maker_tokens: [[WETH], [USDC]],
    taker_amounts: [[give], [between]],
    maker_amounts: [[between], [get]],
    receiver,
    commands: concat([TO_CONTRACT, TRANSFER, TRANSFER, FROM_CONTRACT]),
  };
}

/** What each maker signs of an order with several. */
const makersOrders = ({ receiver, expiry, taker_address, ...order }: Record<string, unknown>) => {
  const at = (member: string, index: number) => (order[member] as unknown[])[index];
  const commands = (order.commands as Hex).slice(2);
  return [0, 1].map((index) => ({
    expiry,
    taker_address,
    maker_address: at('maker_addresses', index),
    maker_nonce: at('maker_nonces', index),
    taker_tokens: at('taker_tokens', index),
    maker_tokens: at('maker_tokens', index),
    taker_amounts: at('taker_amounts', index),
    maker_amounts: at('maker_amounts', index),
    receiver,
    commands: `0x${commands.slice(4 * index, 4 * index + 4)}`,
  }));
};

function placed(drawn: Terms, moment: Moment): Placed {
  const { kind, hasPartner } = drawn;
  const isMaker = drawn.isMaker && kind !== 'AggregateOrder';
  // The contract makes coins of WETH only, which the account gets as the taker.
  const terms: Terms = { ...drawn, isMaker, isCoin: drawn.isCoin && !isMaker };
  const order = membersOf(terms, moment);
  const partner_id = hasPartner ? PARTNER : 0n;
  const makerSigns = (of: Kind, members: object): Hex =>
    signAsOther(typedDataDigest(signed(of, { partner_id, ...members })));
  const flags = (moment.serial << 128n) | (partner_id << 64n);
  const whole = isMaker ? terms.get : terms.give;
  const filled = kind === 'SingleOrder' && isMaker ? partOf(whole, terms.part) : whole;
  return {
    isPart: filled < whole,
    data: signed(kind, { partner_id, ...order }),
    counterparty: isMaker ? FILLER : OTHER,
    fill: (signature) => {
      const complete = { ...order, flags };
      const quote =
        kind === 'SingleOrder'
          ? { useOldAmount: false, makerAmount: terms.get, makerNonce: 2n * moment.serial }
          : kind === 'MultiOrder'
            ? { useOldAmount: false, makerAmounts: [terms.get], makerNonce: 2n * moment.serial }
            : {
                useOldAmount: false,
                makerAmounts: [[terms.between], [terms.get]],
                makerNonces: [2n * moment.serial, 2n * moment.serial + 1n],
              };
      const args = isMaker
        ? [complete, { signatureBytes: signature, flags: 0n }, filled === whole ? 0n : filled]
        : [
            complete,
            kind === 'AggregateOrder'
              ? makersOrders(order).map((each) => ({ signatureBytes: makerSigns('MultiOrder', each), flags: 0n }))
              : { signatureBytes: makerSigns(kind, order), flags: 0n },
            0n,
            quote,
            signature,
          ];
      return {
        to: SETTLEMENT,
        value: 0n,
        data: encodeFunctionData({
          abi: settlement().abi,
          functionName: `${isMaker ? 'swap' : 'settle'}${kind.replace('Order', '')}`,
          args,
        }),
      };
    },
  };
}

/** Bebop's settlement: the account takes, from one maker or several, or makes. */
export const BEBOP_MARKET: Market = {
  name: 'Bebop',
  contract: 'JamSettlement',
  deploy,
  orders: fc
    .record({
      kind: fc.constantFrom<Kind>('SingleOrder', 'MultiOrder', 'AggregateOrder'),
      give: amount,
      get: amount,
      between: amount,
      to: payee,
      isMaker: fc.boolean(),
      isCoin: fc.boolean(),
      isLeft: fc.boolean(),
      hasPartner: fc.boolean(),
      part: parts,
    })
    .map((terms) => (moment: Moment) => placed(terms, moment)),
};
