import { type Hex, keccak256 } from 'viem';

import { type ForDapps, LOCAL_PAGE } from '../../support/dapp';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
export const CHAIN = 'eip155:31337';

/** A node that accepts every transaction. */
export const startTakingNode = (): Promise<SimulatedNode> =>
  startSimulatedNode({ eth_sendRawTransaction: ([raw]) => keccak256(raw as Hex) });

/** What a node and a bundler say of an account that has 1 ETH. Whether it is deployed, `eth_getCode` says. */
export const FUNDED = {
  eth_call: () => `0x${'00'.repeat(32)}`,
  eth_getStorageAt: () => `0x${'00'.repeat(32)}`,
  eth_getBalance: () => '0xde0b6b3a7640000',
  eth_estimateUserOperationGas: () => ({
    callGasLimit: '0x10000',
    verificationGasLimit: '0x60000',
    preVerificationGas: '0xc000',
  }),
};

/** The transactions that the node received. */
export const takenBy = (node: SimulatedNode): Hex[] =>
  node.asked.flatMap(({ method, params }) => (method === 'eth_sendRawTransaction' ? [params[0] as Hex] : []));

/** Gives a snap an imported account and a chain of this node, and connects a page. */
export async function connectedTo(node: SimulatedNode, keystead: ForDapps): Promise<ForDapps> {
  await keystead.create({ privateKey: KEY });
  const chain = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url };
  await keystead.approve('keystead_setChain', chain, LOCAL_PAGE);
  await keystead.connect();
  node.asked.length = 0;
  return keystead;
}
