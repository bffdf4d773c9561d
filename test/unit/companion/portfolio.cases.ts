import { decodeFunctionData, encodeFunctionResult, erc20Abi, type Hex, multicall3Abi } from 'viem';

import { nodeOf } from '../../../src/companion/model/node';
import { readPortfolio, totalOf } from '../../../src/companion/model/portfolio';
import { type Token } from '../../../src/companion/model/tokens';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { ALICE, BOB, DEVNET, GOLD } from '../../support/companion/samples';

const BROKEN = '0x00000000000000000000000000000000000000B0';
const tokens = [GOLD, BROKEN].map((address): Token => ({
  chainId: DEVNET.chainId,
  address: address as Hex,
  symbol: 'T',
  name: 'T',
  decimals: 0,
}));

/** The balances on the chain: coins, and gold; the other token fails. */
function answerOf(target: Hex, data: Hex): { success: boolean; returnData: Hex } {
  if (target.toLowerCase() === BROKEN.toLowerCase()) return { success: false, returnData: '0x' };
  if (target.toLowerCase() !== GOLD.toLowerCase()) {
    const { args } = decodeFunctionData({ abi: multicall3Abi, data });
    const [account] = args as readonly [Hex];
    return { success: true, returnData: `0x${(account === ALICE ? 5n : 7n).toString(16).padStart(64, '0')}` };
  }
  const { args } = decodeFunctionData({ abi: erc20Abi, data });
  const [account] = args as readonly [Hex];
  return { success: true, returnData: `0x${(account === ALICE ? 50n : 70n).toString(16).padStart(64, '0')}` };
}

const aggregated = ([call]: readonly unknown[]): Hex => {
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: (call as { readonly data: Hex }).data });
  const [calls] = args as readonly [readonly { target: Hex; callData: Hex }[]];
  const result = calls.map(({ target, callData }) => answerOf(target, callData));
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
};

describe('readPortfolio', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await startSimulatedNode({ eth_getCode: () => '0x01', eth_call: aggregated });
  });
  afterEach(() => node.stop());
  const client = () => nodeOf({ ...DEVNET, rpcUrl: node.url });

  it('reads coins and tokens of all accounts in one call, and leaves out a token that does not answer', async () => {
    const read = () => readPortfolio(client(), [ALICE, BOB], tokens);
    const expected = {
      [ALICE.toLowerCase()]: { coin: 5n, tokens: [50n, undefined] },
      [BOB.toLowerCase()]: { coin: 7n, tokens: [70n, undefined] },
    };
    expect(await read()).toEqual(expected);
    expect(await read()).toEqual(expected);
    // Whether the network has Multicall3 is asked once.
    expect(node.asked.map(({ method }) => method)).toEqual(['eth_getCode', 'eth_call', 'eth_call']);
  });

  it('reads coins one by one where Multicall3 is missing', async () => {
    node.answers.eth_getCode = () => '0x';
    node.answers.eth_getBalance = ([address]) => (address === ALICE ? '0x5' : '0x7');
    expect(await readPortfolio(client(), [ALICE, BOB], [])).toEqual({
      [ALICE.toLowerCase()]: { coin: 5n, tokens: [] },
      [BOB.toLowerCase()]: { coin: 7n, tokens: [] },
    });
  });

  it('asks again for Multicall3 after the node failed', async () => {
    node.answers.eth_getCode = () => {
      throw new NodeRefusal('busy', -32000);
    };
    await expect(readPortfolio(client(), [ALICE], [])).rejects.toThrow('busy');
    node.answers.eth_getCode = () => '0x01';
    expect(await readPortfolio(client(), [ALICE], [])).toEqual({ [ALICE.toLowerCase()]: { coin: 5n, tokens: [] } });
  });
});

describe('totalOf', () => {
  it('adds up everything; a token that does not answer counts as none', () => {
    const portfolio = { a: { coin: 1n, tokens: [2n, undefined] }, b: { coin: 10n, tokens: [20n, 30n] } };
    expect(totalOf(portfolio, tokens)).toEqual({ coin: 11n, tokens: [22n, 30n] });
    expect(totalOf({}, tokens)).toEqual({ coin: 0n, tokens: [0n, 0n] });
  });
});
