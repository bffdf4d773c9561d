import { DELEGATE_CODE_HASHES, type DelegateVersion, delegateVersionOf } from '../../../core/erc4337/delegates';
import { ZERO_ADDRESS } from '../../../core/eth/address';
import { InvalidParamsError } from '../../../core/errors';
import { type Hex } from '../../../core/eth/bytes';
import { type ChainName } from '../../../core/schemas/chain';
import { type DelegateRepository } from './repository';

/** A contract that accounts may delegate to on a network. */
export type AllowedDelegate = {
  readonly address: Hex;
  readonly version: DelegateVersion;
  /** The hash that its code must have, where it is known. */
  readonly codeHash: Hex | undefined;
};

/** @returns The delegate, if it is on the list or was added by the person for this network. */
export async function allowedDelegate(
  chainId: ChainName,
  address: Hex,
  delegates: DelegateRepository,
): Promise<AllowedDelegate | undefined> {
  const version = delegateVersionOf(address);
  if (version !== undefined) return { address, version, codeHash: DELEGATE_CODE_HASHES[version] };
  const added = await delegates.find(chainId, address);
  return added && { address, version: added.entryPointVersion, codeHash: added.codeHash };
}

/**
 * Checks an authorization that a request contains. Taking a delegation back is always allowed.
 *
 * @throws {InvalidParamsError} If accounts may not delegate to this contract; names the field.
 */
export async function assertAllowedDelegate(
  { field, address }: { readonly field: string; readonly address: Hex },
  chainId: ChainName,
  delegates: DelegateRepository,
): Promise<void> {
  if (address === ZERO_ADDRESS || (await allowedDelegate(chainId, address, delegates)) !== undefined) return;
  throw new InvalidParamsError(
    field,
    'must be a contract that Keystead lets accounts upgrade to (EIP-7702): Simple7702Account, or one that you added',
  );
}
