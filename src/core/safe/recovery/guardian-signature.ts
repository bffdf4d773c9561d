import { hashTypedData } from 'viem/utils';

import { InvalidParamsError } from '../../errors';
import { type Hex, lowerCase } from '../../eth/bytes';
import { EXECUTE_RECOVERY_TYPES } from './abi';
import { type RecoveryModule } from './modules';
import { type NewOwners } from './new-owners';

/** What a guardian confirms: the new owners of a Safe, at the module's next nonce of that Safe. */
export type Recovery = NewOwners & {
  readonly safe: Hex;
  readonly chainId: bigint;
  readonly nonce: bigint;
};

/** A guardian's signature: 65 bytes of an externally owned account, or what its contract verifies (ERC-1271). */
export type GuardianSignature = { readonly signer: Hex; readonly signature: Hex };

/**
 * The EIP-712 typed data that a guardian signs, in the form of `eth_signTypedData_v4`. It is good for one network, one
 * module, one Safe and its next recovery only.
 */
export const recoveryTypedData = (
  { address, name, signingVersion }: RecoveryModule,
  { safe, chainId, nonce, newOwners, newThreshold }: Recovery,
) =>
  ({
    types: EXECUTE_RECOVERY_TYPES,
    primaryType: 'ExecuteRecovery',
    domain: { name, version: signingVersion, chainId, verifyingContract: lowerCase(address) },
    message: { wallet: lowerCase(safe), newOwners: newOwners.map(lowerCase), newThreshold, nonce },
  }) as const;

/** @returns The 32-byte hash that the module checks signatures of (`getRecoveryHash`). */
export const recoveryHash = (module: RecoveryModule, recovery: Recovery): Hex =>
  hashTypedData(recoveryTypedData(module, recovery));

/**
 * The module takes signatures in ascending order of their signers, each once.
 *
 * @throws {InvalidParamsError} If there are none, or a guardian signed twice.
 */
export function inModuleOrder(signatures: readonly GuardianSignature[]): GuardianSignature[] {
  if (signatures.length === 0) throw new InvalidParamsError('signatures', 'must be a non-empty list');
  const signers = signatures.map(({ signer }) => lowerCase(signer));
  const twice = signers.findIndex((signer, at) => signers.indexOf(signer) !== at);
  if (twice !== -1) throw new InvalidParamsError(`signatures[${twice}].signer`, 'must not be in the list twice');
  return signatures
    .map(({ signer, signature }) => ({ signer: lowerCase(signer), signature }))
    .sort((a, b) => Number(BigInt(a.signer) - BigInt(b.signer)));
}
