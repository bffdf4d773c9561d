import { type NodeClient } from '../../clients/node';
import { GET_OWNERS, isOwner, ownerWith, readOwners } from '../../core/erc4337/safe/owners/owners';
import { ServiceFailedError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { BytesStruct } from '../../core/schemas/hex';
import { type CoOwners } from '../account/methods/user-operation-context';

/**
 * Reads the owners of a Safe, and how each signs.
 *
 * @param safe - Its address, and the owner whose key Keystead has.
 * @returns undefined if that owner's signature is enough.
 * @throws {ServiceFailedError} If it is not an owner, the node does not respond, or its answer is impossible.
 */
export async function readCoOwners(
  { address, owner }: { readonly address: Hex; readonly owner: Hex },
  threshold: bigint,
  node: NodeClient,
): Promise<CoOwners | undefined> {
  const answer = await node.ask('eth_call', [{ to: address, data: GET_OWNERS }, 'latest'], BytesStruct);
  const current = readOwners(address, answer, threshold);
  if (!isOwner(owner, current))
    throw new ServiceFailedError(
      "This account's own key is not one of its owners on this network, so Keystead cannot sign for it.",
    );
  if (current.threshold === 1) return undefined;
  const codes = await Promise.all(current.owners.map((each) => node.code(each)));
  return {
    owners: current.owners.map((each, index) => ownerWith(each, codes[index] ?? '0x')),
    threshold: current.threshold,
  };
}
