import { isSameAddress } from '../../core/eth/address';
import { type Passkey } from './passkeys';
import { type SafeState } from './safe';
import { type Account } from './types';

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

/** @returns Why a passkey cannot send for its account alone; undefined if it can. */
export function problemOf(safe: SafeState | undefined, { signer, chain }: Passkey): string | undefined {
  if (safe === undefined) return 'There is no account at this address on this network yet.';
  const owner = safe.kinds.find(({ address }) => isSameAddress(address, signer));
  if (owner === undefined)
    return 'This passkey is not an owner of the account: adding it was not confirmed, or it was removed.';
  if (!owner.isContract)
    return 'This passkey cannot sign here: the network has no contract that verifies its signatures.';
  if (!safe.modules.some(({ kind }) => kind === 'erc4337'))
    return 'The account lacks Safe’s module for user operations, so a passkey cannot send from here. Its other owners can enable the module.';
  if (safe.threshold > 1)
    return `${safe.threshold} owners must sign for this account. Connect a wallet to propose what it sends.`;
  return chain.bundlerUrl === undefined
    ? 'This browser knows no bundler of the network, which sends what the passkey signs. Open the account again, and enter one.'
    : undefined;
}
