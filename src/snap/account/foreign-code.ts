import { shortAddress } from '../../core/decode/words/names';
import { type Hex } from '../../core/eth/bytes';
import { delegationOf } from './delegations/find-delegations';
import { type AccountDeps } from './deps';

/**
 * A warning about a signature that contracts verify, if the account runs code that Keystead does not know (EIP-7702). A
 * contract may ask that code instead of recovering the signer (ERC-1271), and the code can spend without any signature.
 *
 * @param chainId - The network of the signature; undefined if it names none.
 * @returns undefined if there is nothing to say, or if that cannot be found out. Never fails.
 */
export async function foreignCodeWarning(
  account: Hex,
  chainId: bigint | undefined,
  { chains, delegates }: Pick<AccountDeps, 'chains' | 'delegates'>,
): Promise<string | undefined> {
  const lookUp = async () => {
    const configuration = chainId === undefined ? undefined : await chains.find(chainId);
    return configuration && delegationOf(account, configuration, delegates);
  };
  const delegation = await lookUp().catch(() => undefined);
  if (delegation === undefined || delegation.isKnown) return undefined;
  return `On this network, the account runs the code of ${shortAddress(delegation.delegate)} (EIP-7702), which Keystead does not know. A contract may ask that code whether this signature is valid. The code can also spend what the account holds without your signature. If you did not choose it, take it back on Keystead's home page in MetaMask.`;
}
