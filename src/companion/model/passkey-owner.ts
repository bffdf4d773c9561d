import { keccak256, stringToHex } from 'viem';
import { getCode } from 'viem/actions';

import { type Owner } from '../../core/safe/owners/owners';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { isContractSignature } from './contract-signature';
import { type NodeClient } from './node';
import { type Passkey } from './passkeys';
import { type Chain } from './types';

/**
 * Whether a passkey can sign as an owner. Without its signer's contract it cannot, whoever says that it was created.
 * With it, only a signature shows that it can.
 */
export type Standing = 'cannot-sign' | 'untried' | 'signs';

export type PasskeyOwner = { readonly passkey: Passkey; readonly standing: Standing };

/** @returns The passkey of this browser that an owner is, and whether it can sign; undefined for any other owner. */
export function passkeyOwner(
  { address, isContract }: Owner,
  { chainId }: Pick<Chain, 'chainId'>,
  known: readonly Passkey[],
): PasskeyOwner | undefined {
  const passkey = known.find(({ signer, chain }) => isSameAddress(signer, address) && chain.chainId === chainId);
  if (passkey === undefined) return undefined;
  return { passkey, standing: !isContract ? 'cannot-sign' : passkey.hasSigned === true ? 'signs' : 'untried' };
}

/** @returns The owners that are passkeys of this browser and have not shown that they can sign. */
export const unprovenAmong = (
  owners: readonly Owner[],
  chain: Pick<Chain, 'chainId'>,
  known: readonly Passkey[],
): readonly Hex[] =>
  owners.flatMap((owner) => {
    const standing = passkeyOwner(owner, chain, known)?.standing;
    return standing === undefined || standing === 'signs' ? [] : [owner.address];
  });

/** @returns A text that nobody has signed before. */
export const newText = (): Hex => stringToHex(`Keystead tries a passkey: ${crypto.randomUUID()}`);

/**
 * Checks with the network that a passkey's signer accepts a signature. It must refuse the same signature for another
 * text: a node that accepts that accepts anything.
 *
 * @param data - What was signed: the bytes whose keccak256 hash the passkey got.
 * @throws If the signature does not count, or the node does not respond.
 */
export async function assertSignerAccepts(
  { signer }: Pick<Passkey, 'signer'>,
  { data, signature }: { readonly data: Hex; readonly signature: Hex },
  node: NodeClient,
): Promise<void> {
  const [isAccepted, isAnything] = await Promise.all([
    isContractSignature({ address: signer, data, signature }, node),
    isContractSignature({ address: signer, data: newText(), signature }, node),
  ]);
  if (!isAccepted)
    throw new Error('The network does not accept the signature of this passkey, so it cannot sign here.');
  if (isAnything)
    throw new Error('The node of this network accepts any signature, so it proves nothing. Use another node.');
}

/**
 * Has a passkey sign a text, and asks the network whether its signer accepts that. The text is not an operation, so the
 * signature is of no other use.
 *
 * @param sign - Signs a hash of 32 bytes, in the form that the signer reads.
 * @throws If the passkey cannot sign for an account on this network, or the node does not respond.
 */
export async function tryPasskey(
  passkey: Pick<Passkey, 'signer'>,
  sign: (hash: Hex) => Promise<Hex>,
  node: NodeClient,
): Promise<void> {
  if (((await getCode(node, { address: passkey.signer })) ?? '0x') === '0x')
    throw new Error(
      'This network has no contract that verifies the signatures of this passkey, so it cannot sign here. Remove it from the owners.',
    );
  const data = newText();
  await assertSignerAccepts(passkey, { data, signature: await sign(keccak256(data)) }, node);
}
