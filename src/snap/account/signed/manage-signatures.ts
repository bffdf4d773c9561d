import { type OwnMethods } from '../../../core/methods/own';
import { type Kept } from '../../../core/ledger/signed/kept';
import { AddressStruct } from '../../../core/schemas/address';
import { bytesStruct } from '../../../core/structs/hex';
import { matching, nullable, object, parse, type Struct } from '../../../core/structs/struct';
import { type SignedRepository } from './repository';

type SignedDeps = { readonly signed: SignedRepository };

/**
 * `keystead_getSignatures`: what the accounts signed and others can use, the most recent first. Only origins that may
 * manage the accounts may read it.
 */
export const getSignatures = (_params: unknown, { signed }: SignedDeps): Promise<readonly Kept[]> => signed.read();

const NoteStruct: Struct<OwnMethods['keystead_noteSignature']['params']> = object({
  account: AddressStruct,
  hash: bytesStruct(32),
  goneAt: nullable(matching<string>('must be a string of at most 300 characters', /^.{0,300}$/su)),
});

/**
 * `keystead_noteSignature`: notes which node said that a signature was used or cancelled; null if a node says that it
 * still counts. It stays listed, since a node can be wrong, so this needs no consent.
 */
export async function noteSignature(params: unknown, { signed }: SignedDeps): Promise<null> {
  const { account, hash, goneAt } = parse(NoteStruct, params, 'params');
  await signed.note(account, hash, goneAt ?? undefined);
  return null;
}
