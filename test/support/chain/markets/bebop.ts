import fc from 'fast-check';
import { decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, parseAbi } from 'viem';

import { typedData } from '../../explaining';
import { amount, DAY, type Market, payee, text } from './market';
import {
  ACCOUNT,
  COIN,
  compiledContract,
  FILLER,
  MARKET_FEES,
  type Markets,
  type Moment,
  type Placed,
  SERVICE,
  USDC,
  WETH,
  WORD,
  ZERO,
} from './world';

const SETTLEMENT: Hex = '0xbeb0b0623f66bE8cE162EbDfA2ec543A522F4ea6';
const MEMBERS =
  'address taker,address receiver,uint256 expiry,uint256 exclusivityDeadline,uint256 nonce,address executor,uint256 partnerInfo,address[] sellTokens,address[] buyTokens,uint256[] sellAmounts,uint256[] buyAmounts,';
const ABI = parseAbi([
  `struct JamOrder { ${MEMBERS.replaceAll(',', '; ')} bool usingPermit2; }`,
  'function settleInternal(JamOrder order, bytes signature, uint256[] filledAmounts, bytes hooksData) payable',
  'function balanceManager() view returns (address)',
] as never);

async function deploy({ place, approve, rpc }: Markets): Promise<void> {
  await place(SETTLEMENT, compiledContract('JamSettlement'), [ZERO, ZERO, MARKET_FEES]);
  const functionName = 'balanceManager';
  const data = encodeFunctionData({ abi: ABI, functionName } as never);
  const answer = await rpc<Hex>('eth_call', [{ to: SETTLEMENT, data }, 'latest']);
  const manager = decodeFunctionResult({ abi: ABI, functionName, data: answer } as never) as Hex;
  for (const party of [ACCOUNT, FILLER]) await approve(party, manager);
}

type Terms = {
  readonly give: bigint;
  readonly gets: readonly (readonly [token: Hex, amount: bigint])[];
  readonly to: Hex;
  readonly isForFiller: boolean;
  /** The fees of the partner and of the market, in parts of {@link BASIS}. */
  readonly fees: readonly [partner: bigint, market: bigint];
};

const BASIS = 10_000n;

/** The least of a token with which the order is filled: fees are shares of it, and the account gets the rest. */
const wholeOf = (least: bigint, [partner, market]: Terms['fees']): bigint => {
  const left = BASIS - partner - market;
  return (least * BASIS + left - 1n) / left;
};

function placed({ give, gets, to, isForFiller, fees }: Terms, { now, serial }: Moment): Placed {
  const [partner, market] = fees;
  const partnerInfo = (partner === 0n ? 0n : hexToBigInt(SERVICE) << 32n) | (partner << 16n) | market;
  const filled = gets.map(([, each]) => wholeOf(each, fees));
  const order = {
    taker: ACCOUNT,
    receiver: to,
    expiry: now + DAY,
    exclusivityDeadline: isForFiller ? now + DAY : 0n,
    nonce: serial,
    executor: isForFiller ? FILLER : ZERO,
    partnerInfo,
    sellTokens: [USDC],
    buyTokens: gets.map(([token]) => token),
    sellAmounts: [give],
    buyAmounts: gets.map(([, each]) => each),
  };
  return {
    data: typedData(
      `JamOrder(${MEMBERS}bytes32 hooksHash)`,
      { name: 'JamSettlement', version: '2', chainId: 1, verifyingContract: SETTLEMENT },
      text({ ...order, hooksHash: WORD }),
    ),
    fill: (signature) => ({
      to: SETTLEMENT,
      value: gets.reduce((sum, [token], at) => (token === COIN ? sum + filled[at]! : sum), 0n),
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'settleInternal',
        args: [{ ...order, usingPermit2: false }, signature, partnerInfo === 0n ? [] : filled, '0x'],
      } as never),
    }),
    // Each fee is rounded down.
    slack: 2n,
  };
}

/** Often none. */
const share = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 4_900n }));

/** Bebop's JAM, version 2: the taker signs. */
export const JAM_MARKET: Market = {
  name: 'Bebop JAM',
  contract: 'JamSettlement',
  deploy,
  orders: fc
    .record({
      give: amount,
      gets: fc.uniqueArray(fc.tuple(fc.constantFrom(WETH, COIN), amount), {
        selector: ([token]) => token,
        minLength: 1,
        maxLength: 2,
      }),
      to: payee,
      isForFiller: fc.boolean(),
      fees: fc.tuple(share, share),
    })
    .map((terms) => (moment: Moment) => placed(terms, moment)),
};
