import { createPublicClient, createWalletClient, encodeFunctionData, type Hex, http, parseAbi, parseUnits } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

import { DEVNET_CHAIN } from '../../src/devnet/chain/definition';
import { compilePreviewContracts } from '../../test/support/chain/preview-contracts';

const CREATOR = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 8 });
const DECIMALS = 18;
const SYMBOL = 'EXA';
const PERMIT = parseAbi(['function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)']);

/** What an owner signs so that somebody may spend tokens (ERC-2612). */
export type Permit = {
  readonly owner: Hex;
  readonly spender: Hex;
  readonly amount: string;
  readonly nonce: number;
  /** Unix time in seconds. */
  readonly deadline: number;
};

/**
 * Deploys a token with permits.
 *
 * @param rpcUrl - The devnet's node.
 */
export async function deployPermitToken(rpcUrl: string) {
  const { TestToken } = compilePreviewContracts();
  if (TestToken === undefined) throw new Error('There is no TestToken.');
  const { abi, bytecode } = TestToken;
  const node = createPublicClient({ transport: http(rpcUrl), pollingInterval: 200 });
  const creator = createWalletClient({ account: CREATOR, chain: DEVNET_CHAIN, transport: http(rpcUrl) });
  const hash = await creator.deployContract({ abi, bytecode, args: [SYMBOL, DECIMALS] });
  const { contractAddress: token } = await node.waitForTransactionReceipt({ hash });
  if (token === null || token === undefined) throw new Error('The token was not deployed.');
  return {
    token,
    give: async (to: Hex, amount: string) => {
      const args = [to, parseUnits(amount, DECIMALS)];
      await node.waitForTransactionReceipt({
        hash: await creator.writeContract({ abi, address: token, functionName: 'mint', args }),
      });
    },
    /** @returns The typed data of a permit, as JSON. */
    permitData: ({ owner, spender, amount, nonce, deadline }: Permit): string => {
      const member = (name: string, type: string) => ({ name, type });
      return JSON.stringify({
        domain: { name: SYMBOL, version: '1', chainId: DEVNET_CHAIN.id, verifyingContract: token },
        primaryType: 'Permit',
        types: {
          EIP712Domain: [
            member('name', 'string'),
            member('version', 'string'),
            member('chainId', 'uint256'),
            member('verifyingContract', 'address'),
          ],
          Permit: [
            member('owner', 'address'),
            member('spender', 'address'),
            member('value', 'uint256'),
            member('nonce', 'uint256'),
            member('deadline', 'uint256'),
          ],
        },
        message: {
          owner,
          spender,
          value: String(parseUnits(amount, DECIMALS)),
          nonce: String(nonce),
          deadline: String(deadline),
        },
      });
    },
    /** @returns The data with which anybody who has the signature uses the permit. */
    use: ({ owner, spender, amount, deadline }: Permit, signature: Hex): Hex =>
      encodeFunctionData({
        abi: PERMIT,
        args: [
          owner,
          spender,
          parseUnits(amount, DECIMALS),
          BigInt(deadline),
          Number(`0x${signature.slice(130)}`),
          signature.slice(0, 66) as Hex,
          `0x${signature.slice(66, 130)}`,
        ],
      }),
  };
}
