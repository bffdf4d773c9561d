import { type Explanation } from '../../core/decode/explanation';
import { explainUserOperation } from '../../core/decode/explain/user-operation';
import { KINDS } from '../../core/erc4337/kinds';
import { PROPOSAL_ENTRY_POINT, type SafeProposal } from '../../core/schemas/safe-proposal';
import { accountName } from './account-name';
import { type Account, type Chain } from './types';
import { numberOf } from './units';

type Known = { readonly accounts: readonly Account[]; readonly chains: readonly Chain[] };

/**
 * Explains a proposal with the decoder and the judge of the snap, from the same object that the owners sign.
 *
 * @param now - Seconds since 1970.
 * @param gasPrice - What the network's node suggests, in wei; undefined if it does not say.
 */
export function explainProposal(
  { operation, chainId }: SafeProposal,
  threshold: number,
  { accounts, chains }: Known,
  { now, gasPrice }: { readonly now: bigint; readonly gasPrice: bigint | undefined },
): Explanation {
  const { title, decodeCalls } = KINDS['safe-0.7'];
  return explainUserOperation(
    operation,
    {
      place: { version: '0.7', entryPoint: PROPOSAL_ENTRY_POINT, chainId },
      accountTitle: title,
      calls: decodeCalls(operation.callData),
      // Keystead's own proposals have no paymaster: one that a file names was chosen by somebody else.
      wasPrepared: operation.paymasterAndData === '0x',
      funds: undefined,
      signaturesNeeded: threshold,
    },
    {
      signer: operation.sender,
      now,
      ...(gasPrice !== undefined && { gasPrice }),
      chainId,
      names: Object.fromEntries(accounts.map((account) => [account.address.toLowerCase(), accountName(account)])),
      networks: Object.fromEntries(chains.map((chain) => [numberOf(chain.chainId).toString(), chain])),
    },
  );
}
