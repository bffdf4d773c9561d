import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Abi, createPublicClient, createWalletClient, encodeFunctionData, type Hex, http, parseUnits } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

import { DEVNET_CHAIN } from '../../src/devnet/chain/definition';

/** MetaMask's test dapp brings the contracts that its buttons call. */
const CONSTANTS = join(import.meta.dirname, '../../node_modules/@metamask/test-dapp/dist/constants.json');
const CREATOR = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 9 });
const DECIMALS = 6;

export const TOKEN = 'DEMO';
export const amountOf = (amount: string): bigint => parseUnits(amount, DECIMALS);

/** A token and a collection of NFTs on the devnet, and a contract that may be allowed to spend. */
export type Contracts = {
  readonly token: Hex;
  readonly nfts: Hex;
  readonly spender: Hex;
  readonly tokenCall: (name: string, args: readonly unknown[]) => Hex;
  readonly nftsCall: (name: string, args: readonly unknown[]) => Hex;
  /** Gives somebody 1,000 of the token. */
  readonly give: (to: Hex) => Promise<void>;
};

/** @param rpcUrl - The devnet's node. */
export async function deployContracts(rpcUrl: string): Promise<Contracts> {
  const constants = JSON.parse(readFileSync(CONSTANTS, 'utf8')) as Readonly<Record<string, unknown>>;
  const abi = (name: string): Abi => constants[`${name}Abi`] as Abi;
  const node = createPublicClient({ transport: http(rpcUrl), pollingInterval: 200 });
  const creator = createWalletClient({ account: CREATOR, chain: DEVNET_CHAIN, transport: http(rpcUrl) });
  const deploy = async (name: string, args: readonly unknown[] = []): Promise<Hex> => {
    const hash = await creator.deployContract({ abi: abi(name), bytecode: constants[`${name}Bytecode`] as Hex, args });
    const { contractAddress } = await node.waitForTransactionReceipt({ hash });
    if (contractAddress === null || contractAddress === undefined) throw new Error(`${name} was not deployed.`);
    return contractAddress;
  };
  const token = await deploy('hst', [amountOf('1000000'), 'Demo token', DECIMALS, TOKEN]);
  const nfts = await deploy('nfts');
  const spender = await deploy('piggybank');
  const callOf =
    (name: string) =>
    (functionName: string, args: readonly unknown[]): Hex =>
      encodeFunctionData({ abi: abi(name), functionName, args });
  return {
    token,
    nfts,
    spender,
    tokenCall: callOf('hst'),
    nftsCall: callOf('nfts'),
    give: async (to) => {
      const args = [to, amountOf('1000')];
      const hash = await creator.writeContract({ abi: abi('hst'), address: token, functionName: 'transfer', args });
      await node.waitForTransactionReceipt({ hash });
    },
  };
}
