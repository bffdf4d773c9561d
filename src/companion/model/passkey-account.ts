import { isSameAddress } from '../../core/eth/address';
import { type AnyProposal } from '../../core/schemas/any-proposal';
import { KINDS } from '../../core/kinds';
import { type Passkey } from './passkeys';
import { type SafeState } from './safe';
import { type Account } from './types';
import { numberOf } from './units';

/** @returns The account of a passkey, in the form in which the wallet lists accounts. */
export const accountOf = ({ safe, name, chain: { chainId }, signer }: Passkey): Account => ({
  id: `${signer} ${safe}`,
  type: 'eip155:erc4337',
  address: safe,
  name,
  methods: [],
  scopes: [chainId],
  options: { kind: 'safe-0.7' },
});

/** @returns Why a passkey can neither send for its account nor propose to the other owners; undefined if it can. */
export function problemOf(safe: SafeState | undefined, { signer, chain }: Passkey): string | undefined {
  if (safe === undefined) return 'There is no account at this address on this network yet.';
  const owner = safe.kinds.find(({ address }) => isSameAddress(address, signer));
  if (owner === undefined)
    return 'This passkey is not an owner of the account: adding it was not confirmed, or it was removed.';
  if (!owner.isContract)
    return 'This passkey cannot sign here: the network has no contract that verifies its signatures.';
  if (!safe.modules.some(({ kind }) => kind === 'erc4337'))
    return 'The account lacks Safe’s module for user operations, so a passkey cannot send from here. Its other owners can enable the module.';
  return chain.bundlerUrl === undefined
    ? 'This browser knows no bundler of the network, which sends what the passkey signs. Open the account again, and enter one.'
    : undefined;
}

/**
 * @returns An operation that another owner proposed to the account of a passkey, and the number of its calls.
 * @throws If it is a message, or of another account or network.
 */
export function proposalFor({ safe, chain }: Passkey, proposal: AnyProposal) {
  if (!('operation' in proposal))
    throw new Error('This page explains operations only. Connect a wallet with Keystead to sign a message.');
  if (!isSameAddress(proposal.operation.sender, safe) || proposal.chainId !== numberOf(chain.chainId))
    throw new Error('The proposal is for another account or network. Open the account that it names.');
  return { proposal, calls: KINDS['safe-0.7'].decodeCalls(proposal.operation.callData)?.length ?? 1 };
}
