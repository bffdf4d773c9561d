import { delegateVersionOf } from '../../core/erc4337/delegates';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type Delegation } from '../../core/methods/results';
import { shortAddress } from './account-name';
import { type SnapClient } from './snap-client';

/** @returns What the networks' nodes say now. Those that do not respond are left out. */
export const readDelegations = (client: SnapClient): Promise<readonly Delegation[]> =>
  client.dapp('keystead_getDelegations');

/** @returns What the contract is called. */
export function delegateName({ delegate, isKnown }: Delegation): string {
  if (!isKnown) return 'Unknown code';
  const version = delegateVersionOf(delegate);
  return version === undefined ? `${shortAddress(delegate)}, which you added` : `Simple7702Account ${version}`;
}

const isSame = (one: Delegation, other: Delegation): boolean =>
  one.chainId === other.chainId && isSameAddress(one.account, other.account);

/**
 * Takes a delegation back, and waits until the network has included that. Keystead shows it and asks first.
 *
 * @param wait - Waits until the network has included the transaction.
 * @param onSent - Called with the hash of the transaction, once it is sent.
 * @returns What became of it, in words.
 * @throws If it was rejected or failed, or if the account still runs the contract.
 */
export async function takeBack(
  client: SnapClient,
  delegation: Delegation,
  { wait, onSent }: { readonly wait: (hash: Hex) => Promise<unknown>; readonly onSent: (hash: Hex) => void },
): Promise<string> {
  const { account, chainId } = delegation;
  const hash = await client.dapp('keystead_takeBackDelegation', { chainId, address: account });
  if (hash === null) return 'This was taken back before. It is a standard account on this network.';
  onSent(hash);
  await wait(hash);
  // The authorization has no effect if the account was used in between.
  if ((await readDelegations(client)).some((left) => isSame(left, delegation)))
    throw new Error(
      'The transaction was included, but the account still runs the contract: the account was used in the meantime. Try again.',
    );
  return 'Taken back. It is a standard account on this network again.';
}
