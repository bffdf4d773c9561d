import { recoverAddress } from 'viem/utils';

import { type OwnerSignature } from '../safe/owners/signatures';
import { InvalidParamsError } from '../errors';
import { isSameAddress } from '../eth/address';
import { type Hex, lowerCase } from '../eth/bytes';
import { AddressStruct } from './address';
import { BytesStruct } from '../structs/hex';
import { array, enums, type Infer, object, refine, wrong } from '../structs/struct';

const MAX_SIGNATURES = 200;
/** In bytes. A passkey's signature has a few hundred. */
const MAX_CONTRACT_SIGNATURE = 8192;

const SignatureStruct = refine(
  object({ owner: AddressStruct, by: enums(['key', 'contract']), signature: BytesStruct }),
  ({ by, signature }) => {
    const bytes = signature.length / 2 - 1;
    if (by === 'key')
      return /^0x[0-9a-f]{128}1[bc]$/iu.test(signature)
        ? undefined
        : wrong('must be 65 bytes r, s, v, with v 27 or 28', 'signature');
    return bytes > 0 && bytes <= MAX_CONTRACT_SIGNATURE
      ? undefined
      : wrong(`must be 1 to ${MAX_CONTRACT_SIGNATURE} bytes`, 'signature');
  },
);

type Written = Infer<typeof SignatureStruct>;

/** So many in the name of one contract: each takes a request. */
const MAX_OF_CONTRACT = 4;

/** Which of a contract's signatures is true only its network can tell, so a false one must not keep a true one out. */
const repeats = (one: Written, other: Written): boolean =>
  isSameAddress(one.owner, other.owner) &&
  one.by === other.by &&
  (one.by === 'key' || lowerCase(one.signature) === lowerCase(other.signature));

/** The signatures in a file that anybody may have written. */
export const SignaturesStruct = refine(array(SignatureStruct), (signatures) => {
  if (signatures.length > MAX_SIGNATURES) return wrong(`must hold at most ${MAX_SIGNATURES} signatures`);
  const again = signatures.findIndex(
    (one, index) => signatures.findIndex((other) => one === other || repeats(one, other)) < index,
  );
  if (again >= 0) return wrong('must not sign twice', again, 'owner');
  const many = signatures.findIndex(
    ({ owner, by }, index) =>
      by === 'contract' &&
      signatures.slice(0, index).filter((other) => other.by === by && isSameAddress(other.owner, owner)).length >=
        MAX_OF_CONTRACT,
  );
  return many < 0 ? undefined : wrong(`must not have more than ${MAX_OF_CONTRACT} signatures`, many, 'owner');
});

/** @returns Whether a key's signature of a hash is the owner's. A signature that recovers nobody is nobody's. */
export const isSignedBy = (owner: Hex, hash: Hex, signature: Hex): Promise<boolean> =>
  recoverAddress({ hash, signature }).then(
    (signer) => isSameAddress(signer, owner),
    () => false,
  );

/**
 * Reads the signatures of a file. Each key's is checked against the hash; those of contracts only their network can
 * check.
 *
 * @throws {InvalidParamsError} If one is false; names the field.
 */
export async function readSignatures(
  written: Infer<typeof SignaturesStruct>,
  hash: Hex,
): Promise<readonly OwnerSignature[]> {
  for (const [index, { owner, by, signature }] of written.entries())
    if (by === 'key' && !(await isSignedBy(owner, hash, signature)))
      throw new InvalidParamsError(`proposal.signatures[${index}].signature`, "must be the owner's signature of hash");
  return written.map(({ owner, by, signature }) => ({
    address: lowerCase(owner),
    isContract: by === 'contract',
    signature: lowerCase(signature),
  }));
}

/** @returns The signatures as a file holds them. */
export const writtenSignatures = (signatures: readonly OwnerSignature[]): Infer<typeof SignaturesStruct> =>
  signatures.map(({ address, isContract, signature }) => ({
    owner: address,
    by: isContract ? 'contract' : 'key',
    signature,
  }));

type Signed = { readonly signatures: readonly OwnerSignature[] };

const isSame = (one: OwnerSignature, other: OwnerSignature): boolean =>
  isSameAddress(one.address, other.address) && one.isContract === other.isContract && one.signature === other.signature;

/** Whether a signature adds something to others. Each of a key's was verified, so one is as good as another. */
const adds = (one: OwnerSignature, known: readonly OwnerSignature[]): boolean =>
  !known.some((other) =>
    one.isContract || other.isContract ? isSame(one, other) : isSameAddress(one.address, other.address),
  );

/** @returns The proposal without some of its signatures. */
export const withoutSignatures = <T extends Signed>(proposal: T, left: readonly OwnerSignature[]): T => ({
  ...proposal,
  signatures: proposal.signatures.filter((one) => !left.some((other) => isSame(one, other))),
});

/** @returns The proposal with the signatures of another copy, too: none takes the place of another. */
export const mergedWith = <T extends Signed>(proposal: T, copy: Signed): T => ({
  ...proposal,
  signatures: [...proposal.signatures, ...copy.signatures.filter((one) => adds(one, proposal.signatures))],
});

/** @returns The proposal with one more verified signature, which takes the place of all others of the same owner. */
export const withSignature = <T extends Signed>(proposal: T, added: OwnerSignature): T => ({
  ...proposal,
  signatures: [...proposal.signatures.filter(({ address }) => !isSameAddress(address, added.address)), added],
});
