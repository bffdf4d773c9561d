import fc from 'fast-check';
import { encodeFunctionData, type Hex, keccak256, parseAbi, toBytes } from 'viem';

import { typedData } from '../../explaining';
import { amount, DAY, type Market, partOf, parts, payee, text } from './market';
import { ACCOUNT, type Artifact, COIN, FILLER, marketFile, type Moment, type Placed, USDC, WETH, ZERO } from './world';

const SETTLEMENT: Hex = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41';
/** Balancer's vault, of which orders on balances of ERC-20 make no use. */
const VAULT: Hex = '0xBA12222222228d8Ba445958a75a0704d566BF2C8';

const artifact = (name: string): Artifact =>
  JSON.parse(marketFile(`@cowprotocol/contracts@1.8.0/lib/contracts/${name}.json`)) as Artifact;

const ABI = parseAbi([
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] clearingPrices, Trade[] trades, Interaction[][3] interactions)',
  'function vaultRelayer() view returns (address)',
  'function initializeManager(address)',
  'function addSolver(address)',
]);
const TYPE =
  'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)';

type Terms = {
  readonly give: bigint;
  readonly get: bigint;
  readonly fee: bigint;
  readonly to: Hex;
  readonly isCoin: boolean;
  readonly isBuy: boolean;
  readonly isPartial: boolean;
  readonly part: bigint;
};

function placed({ give, get, fee, to, isCoin, isBuy, isPartial, part }: Terms, { now, serial }: Moment): Placed {
  const whole = isBuy ? get : give;
  const executedAmount = isPartial ? partOf(whole, part) : whole;
  const buyToken = isCoin ? COIN : WETH;
  const order = {
    sellToken: USDC,
    buyToken,
    receiver: to === ACCOUNT ? ZERO : to,
    sellAmount: give,
    buyAmount: get,
    validTo: Number(now + DAY),
    appData: keccak256(toBytes(serial)),
    feeAmount: fee,
  };
  return {
    isPart: executedAmount < whole,
    data: typedData(
      TYPE,
      { name: 'Gnosis Protocol', version: 'v2', chainId: 1, verifyingContract: SETTLEMENT },
      text({
        ...order,
        kind: isBuy ? 'buy' : 'sell',
        partiallyFillable: isPartial,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
      }),
    ),
    fill: (signature) => ({
      to: SETTLEMENT,
      value: 0n,
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'settle',
        args: [
          [USDC, buyToken],
          // The price of the order itself, and no better one.
          [get, give],
          [
            {
              ...order,
              sellTokenIndex: 0n,
              buyTokenIndex: 1n,
              flags: (isBuy ? 1n : 0n) | (isPartial ? 2n : 0n),
              executedAmount,
              signature,
            },
          ],
          [[], [], []],
        ],
      }),
    }),
  };
}

/** CoW Protocol. The settlement pays out of what it holds. */
export const COW_MARKET: Market = {
  name: 'CoW Protocol',
  deploy: async ({ rpc, deploy, place, send, approve, fund }) => {
    const authenticator = await deploy(artifact('GPv2AllowListAuthentication'));
    const call = (to: Hex, functionName: 'initializeManager' | 'addSolver', party: Hex) =>
      send(FILLER, { to, data: encodeFunctionData({ abi: ABI, functionName, args: [party] }) });
    await call(authenticator, 'initializeManager', FILLER);
    await call(authenticator, 'addSolver', FILLER);
    await place(SETTLEMENT, artifact('GPv2Settlement'), [authenticator, VAULT]);
    const data = encodeFunctionData({ abi: ABI, functionName: 'vaultRelayer' });
    const relayer = await rpc<Hex>('eth_call', [{ to: SETTLEMENT, data }, 'latest']);
    await approve(ACCOUNT, `0x${relayer.slice(26)}`);
    await fund(SETTLEMENT);
  },
  orders: fc
    .record({
      give: amount,
      get: amount,
      fee: fc.oneof(fc.constant(0n), amount),
      to: payee,
      isCoin: fc.boolean(),
      isBuy: fc.boolean(),
      isPartial: fc.boolean(),
      part: parts,
    })
    .map((terms) => (moment: Moment) => placed(terms, moment)),
};
