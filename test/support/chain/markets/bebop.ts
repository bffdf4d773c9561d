import fc from 'fast-check';
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';

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
};

function placed({ give, gets, to, isForFiller }: Terms, { now, serial }: Moment): Placed {
  const order = {
    taker: ACCOUNT,
    receiver: to,
    expiry: now + DAY,
    exclusivityDeadline: isForFiller ? now + DAY : 0n,
    nonce: serial,
    executor: isForFiller ? FILLER : ZERO,
    partnerInfo: 0n,
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
      value: gets.reduce((sum, [token, each]) => (token === COIN ? sum + each : sum), 0n),
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'settleInternal',
        args: [{ ...order, usingPermit2: false }, signature, [], '0x'],
      } as never),
    }),
  };
}

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
    })
    .map((terms) => (moment: Moment) => placed(terms, moment)),
};
