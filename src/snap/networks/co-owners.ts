import { type NodeClient } from '../../clients/node';
import { GET_OWNERS, ownerWith, readOwners } from '../../core/erc4337/safe/owners/owners';
import { type Hex } from '../../core/eth/bytes';
import { BytesStruct } from '../../core/schemas/hex';
import { type CoOwners } from '../methods/user-operation-context';

/**
 * Reads the owners of a Safe of which several must sign, and how each signs.
 *
 * @throws {ServiceFailedError} If the node does not respond, or its answer is impossible.
 */
export async function readCoOwners(account: Hex, threshold: bigint, node: NodeClient): Promise<CoOwners> {
  const answer = await node.ask('eth_call', [{ to: account, data: GET_OWNERS }, 'latest'], BytesStruct);
  const current = readOwners(account, answer, threshold);
  const codes = await Promise.all(current.owners.map((owner) => node.code(owner)));
  return {
    owners: current.owners.map((owner, index) => ownerWith(owner, codes[index] ?? '0x')),
    threshold: current.threshold,
  };
}
