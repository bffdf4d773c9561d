import { encodeDeployData, type Hex } from 'viem';

import { type ChainClient } from './contracts';
import { compilePreviewContracts } from './preview-contracts';

/** Runs the constructor of a test token at an address, so that it is there as the real one is elsewhere. */
export async function placeToken(chain: ChainClient, address: Hex, symbol: string, decimals: number): Promise<void> {
  const { abi, bytecode } = compilePreviewContracts().TestToken!;
  await chain.setCode({ address, bytecode: encodeDeployData({ abi, bytecode, args: [symbol, decimals] }) });
  const { data } = await chain.call({ to: address });
  const hash = await chain.sendTransaction({ to: address, data: '0x' });
  await chain.waitForTransactionReceipt({ hash });
  await chain.setCode({ address, bytecode: data! });
}
