import { hashTypedData } from 'viem/utils';

import { type OwnerSignature } from '../safe/owners/signatures';
import { contentDigest, type MessageContent, safeMessageOf } from '../safe/safe-message';
import { InvalidParamsError } from '../errors';
import { type Hex, lowerCase, toHex } from '../eth/bytes';
import { AddressStruct } from './address';
import { BytesStruct, bytesStruct } from '../structs/hex';
import { readSignatures, SignaturesStruct, writtenSignatures } from './owner-signatures';
import { exactOptional, type Infer, integer, literal, object, parse, refine, wrong } from '../structs/struct';
import { TypedDataStruct } from './typed-data';

/** A message that the owners of a Safe sign one after another, and the signatures so far. */
export type SafeMessage = {
  readonly content: MessageContent;
  readonly safe: Hex;
  readonly chainId: bigint;
  /** The EIP-712 hash of `SafeMessage`, which each owner signs. */
  readonly hash: Hex;
  /** At most one for each signer. */
  readonly signatures: readonly OwnerSignature[];
};

/** The format of a file of a message. */
export const MESSAGE_FORMAT = 'keystead-safe-message';

const MessageStruct = refine(
  object({
    format: literal(MESSAGE_FORMAT),
    version: literal(1),
    safe: AddressStruct,
    chainId: integer(1, Number.MAX_SAFE_INTEGER),
    message: exactOptional(BytesStruct),
    typedData: exactOptional(TypedDataStruct),
    hash: bytesStruct(32),
    signatures: SignaturesStruct,
  }),
  ({ message, typedData }) =>
    (message === undefined) === (typedData === undefined)
      ? wrong('must have either message or typedData, not both')
      : undefined,
);

/** @returns The hash that the site gets a signature of. */
export const contentHash = (content: MessageContent): Hex => toHex(contentDigest(content));

/**
 * @returns A new message, which nobody has signed yet.
 * @throws {InvalidParamsError} If typed data contradicts its types, or is of another network.
 */
export function newMessage(content: MessageContent, safe: Hex, chainId: bigint): SafeMessage {
  const hash = contentHash(content);
  if ('typedData' in content) {
    const { domain } = content.typedData;
    if (Object.hasOwn(domain, 'chainId') && BigInt(domain.chainId as string | number) !== chainId)
      throw new InvalidParamsError('proposal.typedData.domain.chainId', 'must be chainId, the network of the account');
  }
  return {
    content,
    safe: lowerCase(safe),
    chainId,
    hash: hashTypedData(safeMessageOf(hash, safe, chainId)),
    signatures: [],
  };
}

/** @returns The typed data that each owner signs, as `eth_signTypedData_v4` takes it. */
export function messageTypedData({ content, safe, chainId }: SafeMessage) {
  const { types, ...rest } = safeMessageOf(contentHash(content), safe, chainId);
  return {
    ...rest,
    domain: { ...rest.domain, chainId: Number(chainId) },
    types: {
      EIP712Domain: [
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      ...types,
    },
  };
}

/** @returns What a file of the message holds. */
export const messageFile = ({
  content,
  safe,
  chainId,
  hash,
  signatures,
}: SafeMessage): Infer<typeof MessageStruct> => ({
  format: MESSAGE_FORMAT,
  version: 1,
  safe,
  chainId: Number(chainId),
  ...('message' in content
    ? { message: content.message }
    : { typedData: content.typedData as Infer<typeof TypedDataStruct> }),
  hash,
  signatures: writtenSignatures(signatures),
});

/**
 * Reads a message that anybody may have written. The hash is computed from what is signed, and each key's signature is
 * checked against it.
 *
 * @param json - The content of a file.
 * @throws {InvalidParamsError} If the file is not a message, contradicts itself or contains a false signature; names
 *   the field and the rule.
 */
export async function readMessageFile(json: unknown): Promise<SafeMessage> {
  const { message, typedData, ...file } = parse(MessageStruct, json, 'proposal');
  const content = typedData === undefined ? { message: lowerCase(message ?? '0x') } : { typedData };
  const read = newMessage(content, file.safe, BigInt(file.chainId));
  if (read.hash !== lowerCase(file.hash))
    throw new InvalidParamsError(
      'proposal.hash',
      'must be the hash of SafeMessage (EIP-712) for the message, the account and the network',
    );
  return { ...read, signatures: await readSignatures(file.signatures, read.hash) };
}
