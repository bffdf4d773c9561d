import { type CaipChainId, type DiscoveredAccount } from '@metamask/keyring-api';

import { InvalidParamsError } from '../errors';
import { chainOfScope } from '../wire/chain';
import { type CallerDeps } from './deps';
import { addressOfKey } from './keys';

/** Far above what a person uses; a derived key's index must stay a 31-bit number to be a path segment. */
const MAX_INDEX = 2 ** 31 - 1;

/**
 * `keyring_discoverAccounts`: whether the derived account at an index has been used, so that accounts can
 * be found again from the recovery phrase alone.
 *
 * @param scopes - Chains to look on; `eip155:0` is the wallet's current one.
 * @param index - The account's index.
 * @returns One entry with the chains it was used on, or none. The path is `m/<index>'` below the snap's own
 * entropy (SIP-6), since snaps may not derive `m/44'/60'`.
 */
export async function discoverAccounts(
  scopes: readonly CaipChainId[],
  index: number,
  { chain, entropy }: CallerDeps,
): Promise<DiscoveredAccount[]> {
  if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
    throw new InvalidParamsError('groupIndex', `must be a whole number from 0 to ${MAX_INDEX}`);
  }
  const chains = scopes.map((scope) => ({ scope, chainId: chainOfScope(scope) }));
  const address = await addressOfKey({ source: 'derived', index }, entropy);
  const used: CaipChainId[] = [];
  // One after the other: the wallet looks up one network at a time.
  for (const { scope, chainId } of chains) {
    if (await chain.isUsed(address, chainId)) used.push(scope);
  }
  return used.length === 0
    ? []
    : ([{ type: 'bip44', scopes: used, derivationPath: `m/${index}'` }] as DiscoveredAccount[]);
}
