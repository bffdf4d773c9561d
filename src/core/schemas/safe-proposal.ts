import { ENTRY_POINTS } from '../erc4337/entry-points';
import { MODULE_4337, SAFE_OP_TYPES } from '../safe/contracts';
import { type OwnerSignature } from '../safe/owners/signatures';
import { ALWAYS, safeOpHash, safeOpOf, type Validity } from '../safe/safe-op';
import { MAX_GAS_VALUE, type UserOperation } from '../erc4337/user-operation';
import { InvalidParamsError } from '../errors';
import { isSameAddress } from '../eth/address';
import { type Hex, lowerCase } from '../eth/bytes';
import { AddressStruct, startsWithZeroAddress } from './address';
import { BytesStruct, bytesStruct } from '../structs/hex';
import { readSignatures, SignaturesStruct, writtenSignatures } from './owner-signatures';
import { type Infer, integer, literal, object, parse, refine, rule, tuple, wrong } from '../structs/struct';

/** A user operation of a Safe that its owners sign one after another, and the signatures so far. */
export type SafeProposal = {
  /** The account, its calls, gas and fees; its `signature` is empty. */
  readonly operation: UserOperation;
  readonly chainId: bigint;
  readonly validity: Validity;
  /** The operation that each owner signs. */
  readonly hash: Hex;
  /** At most one for each signer. */
  readonly signatures: readonly OwnerSignature[];
};

/** The only entry point that Safe4337Module 0.3.0 accepts. */
export const PROPOSAL_ENTRY_POINT = ENTRY_POINTS['0.7'];

const FORMAT = 'keystead-safe-proposal';

/** The last nonce of key 0. The key is in the bits above (ERC-4337). */
const MAX_SEQUENCE = 2n ** 64n - 1n;

const numberStruct = (most: bigint, limit: string) =>
  rule<string>(
    `must be a number in decimal digits without leading zeros, at most ${limit}`,
    (value) => typeof value === 'string' && /^(?:0|[1-9]\d{0,77})$/u.test(value) && BigInt(value) <= most,
  );
const GasStruct = numberStruct(MAX_GAS_VALUE, '2^120-1');

/** Operations with another key have an order of their own: later operations of the account do not replace them. */
const NonceStruct = numberStruct(MAX_SEQUENCE, '2^64-1 (key 0)');

const exactly = (address: Hex, what: string) =>
  rule<Hex>(`must be ${address}, ${what}`, (value) => typeof value === 'string' && isSameAddress(value, address));

const EIP712_DOMAIN = [
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;

/** The members of an EIP-712 type, in their order: any other list has another hash. */
const typeStruct = (members: readonly { readonly name: string; readonly type: string }[]) =>
  tuple(members.map(({ name, type }) => object({ name: literal(name), type: literal(type) })));

const MessageStruct = refine(
  object({
    safe: AddressStruct,
    nonce: NonceStruct,
    initCode: rule<Hex>('must be 0x: the account must be deployed already', (value) => value === '0x'),
    callData: BytesStruct,
    verificationGasLimit: GasStruct,
    callGasLimit: GasStruct,
    preVerificationGas: GasStruct,
    maxPriorityFeePerGas: GasStruct,
    maxFeePerGas: GasStruct,
    paymasterAndData: rule<Hex>(
      'must be 0x, or a paymaster, its two gas limits (16 bytes each) and data',
      (value) =>
        BytesStruct.is(value) && (value === '0x' || (value.length >= 2 + 2 * 52 && !startsWithZeroAddress(value))),
    ),
    validAfter: integer(0, 2 ** 48 - 1),
    validUntil: integer(0, 2 ** 48 - 1),
    entryPoint: exactly(PROPOSAL_ENTRY_POINT, 'the entry point 0.7'),
  }),
  ({ maxFeePerGas, maxPriorityFeePerGas, validAfter, validUntil }) => {
    if (BigInt(maxPriorityFeePerGas) > BigInt(maxFeePerGas))
      return wrong('must not be above maxFeePerGas', 'maxPriorityFeePerGas');
    return validUntil === 0 || validUntil > validAfter ? undefined : wrong('must be after validAfter', 'validUntil');
  },
);

const ProposalStruct = object({
  format: literal(FORMAT),
  version: literal(1),
  typedData: object({
    types: object({ EIP712Domain: typeStruct(EIP712_DOMAIN), SafeOp: typeStruct(SAFE_OP_TYPES.SafeOp) }),
    domain: object({
      chainId: integer(1, Number.MAX_SAFE_INTEGER),
      verifyingContract: exactly(MODULE_4337, 'Safe4337Module 0.3.0'),
    }),
    primaryType: literal('SafeOp'),
    message: MessageStruct,
  }),
  hash: bytesStruct(32),
  signatures: SignaturesStruct,
});

type ProposalFile = Infer<typeof ProposalStruct>;

/** @returns The proposal's typed data as `eth_signTypedData_v4` takes it. */
export function proposalTypedData({ operation, chainId, validity }: SafeProposal): ProposalFile['typedData'] {
  const { sender, nonce, callData, initCode, paymasterAndData, ...rest } = operation;
  return {
    types: { EIP712Domain: [...EIP712_DOMAIN], SafeOp: [...SAFE_OP_TYPES.SafeOp] },
    domain: { chainId: Number(chainId), verifyingContract: MODULE_4337 },
    primaryType: 'SafeOp',
    message: {
      safe: lowerCase(sender),
      nonce: nonce.toString(),
      initCode,
      callData,
      verificationGasLimit: rest.verificationGasLimit.toString(),
      callGasLimit: rest.callGasLimit.toString(),
      preVerificationGas: rest.preVerificationGas.toString(),
      maxPriorityFeePerGas: rest.maxPriorityFeePerGas.toString(),
      maxFeePerGas: rest.maxFeePerGas.toString(),
      paymasterAndData,
      ...validity,
      entryPoint: lowerCase(PROPOSAL_ENTRY_POINT),
    },
  };
}

const hashOf = (operation: UserOperation, chainId: bigint, validity: Validity): Hex =>
  safeOpHash(safeOpOf(operation, { chainId, entryPoint: PROPOSAL_ENTRY_POINT }, validity));

/** @returns A new proposal, which nobody has signed yet. */
export function newProposal(operation: UserOperation, chainId: bigint, validity: Validity = ALWAYS): SafeProposal {
  const unsigned: UserOperation = { ...operation, sender: lowerCase(operation.sender), signature: '0x' };
  return { operation: unsigned, chainId, validity, hash: hashOf(unsigned, chainId, validity), signatures: [] };
}

/** @returns What a file of the proposal holds. Any tool that hashes EIP-712 can check it. */
export const operationFile = (proposal: SafeProposal): ProposalFile => ({
  format: FORMAT,
  version: 1,
  typedData: proposalTypedData(proposal),
  hash: proposal.hash,
  signatures: writtenSignatures(proposal.signatures),
});

function operationIn(message: Infer<typeof MessageStruct>): UserOperation {
  return {
    sender: lowerCase(message.safe),
    nonce: BigInt(message.nonce),
    initCode: '0x',
    callData: lowerCase(message.callData),
    callGasLimit: BigInt(message.callGasLimit),
    verificationGasLimit: BigInt(message.verificationGasLimit),
    preVerificationGas: BigInt(message.preVerificationGas),
    maxFeePerGas: BigInt(message.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(message.maxPriorityFeePerGas),
    paymasterAndData: lowerCase(message.paymasterAndData),
    signature: '0x',
  };
}

/**
 * Reads a proposal that anybody may have written. The hash is computed from the typed data, and each key's
 * signature is checked against it; those of contracts only their network can check.
 *
 * @param json - The content of a file.
 * @throws {InvalidParamsError} If the file is not a proposal, contradicts itself or contains a false signature; names
 *   the field and the rule.
 */
export async function readOperation(json: unknown): Promise<SafeProposal> {
  const file = parse(ProposalStruct, json, 'proposal');
  const { domain, message } = file.typedData;
  const operation = operationIn(message);
  const chainId = BigInt(domain.chainId);
  const validity = { validAfter: message.validAfter, validUntil: message.validUntil };
  const hash = hashOf(operation, chainId, validity);
  if (hash !== lowerCase(file.hash))
    throw new InvalidParamsError('proposal.hash', 'must be the EIP-712 hash of typedData');
  const signatures = await readSignatures(file.signatures, hash);
  return { operation, chainId, validity, hash, signatures };
}
