import { encodeFunctionData } from 'viem/utils';

import { bool } from '../../eth/abi';
import { type Hex, lowerCase } from '../../eth/bytes';
import { RECOVERY_ABI } from './abi';
import { askContract, type ReadAt } from './answer';
import { type NewOwners } from './new-owners';

/**
 * Asks the module which guardians have confirmed a recovery on the network. The module emits no event for that.
 *
 * @param guardians - All guardians of the Safe.
 * @throws {ServiceFailedError} If an answer is malformed.
 */
export async function confirmedBy(
  module: Hex,
  safe: Hex,
  { newOwners, newThreshold }: NewOwners,
  guardians: readonly Hex[],
  at: ReadAt,
): Promise<readonly Hex[]> {
  const has = await Promise.all(
    guardians.map(async (guardian) => {
      const data = encodeFunctionData({
        abi: RECOVERY_ABI,
        functionName: 'hasGuardianApproved',
        args: [lowerCase(safe), lowerCase(guardian), newOwners.map(lowerCase), newThreshold],
      });
      return (await askContract(module, data, { returns: [bool], field: 'confirmed' }, at))[0];
    }),
  );
  return guardians.filter((_guardian, index) => has[index] === true);
}
