import { type Address, getAddress, type Hex, parseAbi, toHex } from 'viem';
import { getCode, readContract } from 'viem/actions';

import { BundlerClient } from '../../clients/bundler';
import { ServiceFailedError } from '../../core/errors';
import { userOperationHash } from '../../core/erc4337/hash';
import { completeSignature, messageSignature } from '../../core/safe/owners/collected';
import { isOwner, type Owner, ownerWith, type SafeOwners } from '../../core/safe/owners/owners';
import { type OwnerSignature } from '../../core/safe/owners/signatures';
import { safeMessageOf } from '../../core/safe/safe-message';
import { safeOpOf, signedPreimage } from '../../core/safe/safe-op';
import { isIn, isSameAddress } from '../../core/eth/address';
import { lowerCase } from '../../core/eth/bytes';
import { accountOf, type AnyProposal } from '../../core/schemas/any-proposal';
import { isSignedBy } from '../../core/schemas/owner-signatures';
import { contentHash, messageTypedData, type SafeMessage } from '../../core/schemas/safe-message';
import { PROPOSAL_ENTRY_POINT, proposalTypedData, type SafeProposal } from '../../core/schemas/safe-proposal';
import { fromUserOperation } from '../../core/schemas/user-operation';
import { utcTime } from '../../core/decode/words/time';
import { type AnyWallet, connectOn } from './any-wallet';
import { isAccountSignature, isContractSignature } from './contract-signature';
import { askForPasskey, signWithPasskey } from './credential';
import { signersFor } from './find-passkey';
import { networkOfChain } from './network';
import { type NodeClient } from './node';
import { assertSignerAccepts } from './passkey-owner';
import { keepPasskey, type Passkey } from './passkeys';
import { type SnapClient } from './snap-client';
import { type Account, type Chain } from './types';
import { chainNameOf } from '../../core/schemas/chain';
import { counted, hexChainOf, numberOf } from './units';

/** @returns The bytes that a contract among the owners is asked about. */
function preimageOf(proposal: AnyProposal): Hex {
  const { chainId } = proposal;
  return signedPreimage(
    'operation' in proposal
      ? safeOpOf(proposal.operation, { chainId, entryPoint: PROPOSAL_ENTRY_POINT }, proposal.validity)
      : safeMessageOf(contentHash(proposal.content), proposal.safe, chainId),
  );
}

/** @returns What owners in other wallets sign (EIP-712). */
const typedDataOf = (proposal: AnyProposal): string =>
  JSON.stringify('operation' in proposal ? proposalTypedData(proposal) : messageTypedData(proposal));

/** Whether a contract says that a signature of the proposal is its own. @throws If the node does not respond. */
const isSignedByContract = (
  proposal: AnyProposal,
  { address, signature }: Pick<OwnerSignature, 'address' | 'signature'>,
  node: NodeClient,
): Promise<boolean> => isContractSignature({ address, data: preimageOf(proposal), signature }, node);

/** The signatures of a proposal, compared with the network. */
export type Checked = {
  /** At most one of each owner: the shortest, since a contract may accept one with more bytes behind it. */
  readonly valid: readonly OwnerSignature[];
  /** The owners of whose signatures none verifies. */
  readonly invalid: readonly Hex[];
};

/**
 * Verifies the signatures of a proposal's present owners: those of keys by recovering the signer, those of contracts by
 * asking them. The network decides which owner is a contract, not the file. Nobody else's signature is looked at.
 *
 * @throws If the node does not respond.
 */
export async function checkSignatures(proposal: AnyProposal, current: SafeOwners, node: NodeClient): Promise<Checked> {
  const validOf = async (address: Hex, claimed: readonly OwnerSignature[]): Promise<OwnerSignature | undefined> => {
    const { isContract } = ownerWith(address, (await getCode(node, { address })) ?? '0x');
    for (const signed of claimed.filter((one) => one.isContract === isContract)) {
      const isValid = isContract
        ? await isSignedByContract(proposal, signed, node)
        : await isSignedBy(address, proposal.hash, signed.signature);
      if (isValid) return signed;
    }
    return undefined;
  };
  const shortestFirst = [...proposal.signatures].sort((one, other) => one.signature.length - other.signature.length);
  const signers = [...new Set(proposal.signatures.map(({ address }) => lowerCase(address)))];
  const checked = await Promise.all(
    signers
      .filter((signer) => isOwner(signer, current))
      .map(async (signer) => {
        const claimed = shortestFirst.filter(({ address }) => isSameAddress(address, signer));
        return { signer, valid: await validOf(signer, claimed) };
      }),
  );
  return {
    valid: checked.flatMap(({ valid }) => valid ?? []),
    invalid: checked.flatMap(({ signer, valid }) => (valid === undefined ? [signer] : [])),
  };
}

const GET_NONCE = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)']);

/** @returns How many operations the account must send before the proposal; below 0 if its nonce was used already. */
export const operationsBefore = async ({ operation }: SafeProposal, node: NodeClient): Promise<bigint> =>
  operation.nonce -
  (await readContract(node, {
    address: PROPOSAL_ENTRY_POINT,
    abi: GET_NONCE,
    functionName: 'getNonce',
    args: [operation.sender, operation.nonce >> 64n],
  }));

/**
 * @param before - See {@link operationsBefore}.
 * @param now - Seconds since 1970.
 * @returns Why a proposal cannot be sent now, for people; undefined if it can.
 */
export function standingProblem(
  { validity: { validAfter, validUntil } }: SafeProposal,
  before: bigint,
  now: bigint,
): string | undefined {
  if (before < 0n) return 'It was sent already, or another operation of the account took its place.';
  if (validUntil !== 0 && BigInt(validUntil) <= now) return `It expired at ${utcTime(BigInt(validUntil))}.`;
  if (before > 0n)
    return `It can be sent only after ${counted(Number(before), 'other operation')} of the account. Until then, the signatures stay valid: anyone who has enough of them can send it later.`;
  if (BigInt(validAfter) > now) return `It is not valid before ${utcTime(BigInt(validAfter))}.`;
  return undefined;
}

/** Some wallets write the recovery bit as v. @returns The signature with v 27 or 28. */
function withUsualV(signature: Hex): Hex {
  const v = signature.slice(-2);
  return signature.length === 132 && (v === '00' || v === '01')
    ? `${signature.slice(0, -2) as Hex}${v === '00' ? '1b' : '1c'}`
    : signature;
}

/** @throws If the signature is not the owner's; names the rule. */
async function signedBy(proposal: AnyProposal, { address, isContract }: Owner, signature: unknown, node: NodeClient) {
  if (typeof signature !== 'string' || !/^0x(?:[0-9a-f]{2})+$/iu.test(signature))
    throw new Error('Signature: must be bytes: 0x and an even number of hex digits');
  const signed = { address, isContract, signature: isContract ? (signature as Hex) : withUsualV(signature as Hex) };
  const isValid = isContract
    ? await isSignedByContract(proposal, signed, node)
    : await isSignedBy(address, proposal.hash, signed.signature);
  if (!isValid) throw new Error(`Signature: must be the one of ${getAddress(address)} for this proposal`);
  return signed;
}

/**
 * Signs with an account of Keystead: a standard account, or the Safe itself with its own key. Keystead explains the
 * proposal once more and asks.
 *
 * @param owner - The address of the key.
 */
export async function signWithAccount(
  proposal: AnyProposal,
  account: Account,
  owner: Hex,
  { client, chain, node }: { readonly client: SnapClient; readonly chain: Chain; readonly node: NodeClient },
): Promise<OwnerSignature> {
  const address = account.address as Address;
  const isOwnKey = !isSameAddress(owner, address);
  if (isOwnKey && 'operation' in proposal && (proposal.validity.validAfter > 0 || proposal.validity.validUntil > 0))
    throw new Error('The account’s own key signs only what has no time limit. Ask for a proposal without one.');
  const ask = async (): Promise<unknown> => {
    if (isOwnKey || !('operation' in proposal))
      return client.dapp('keystead_signAsOwner', {
        account: address,
        safe: accountOf(proposal),
        chainId: chainNameOf(numberOf(chain.chainId)),
        ...('operation' in proposal ? { operation: fromUserOperation(proposal.operation) } : proposal.content),
      });
    await client.useAccount(address);
    await client.useChain(hexChainOf(chain.chainId));
    return client.dapp('eth_signTypedData_v4', [address, typedDataOf(proposal)]);
  };
  return signedBy(proposal, { address: owner, isContract: false }, await ask(), node);
}

/** Signs with an account of any wallet: one of its own, or of a hardware wallet that it drives. */
export async function signWithWallet(
  proposal: AnyProposal,
  owners: readonly Hex[],
  { wallet, chain, node }: { readonly wallet: AnyWallet; readonly chain: Chain; readonly node: NodeClient },
): Promise<OwnerSignature> {
  const known = { name: networkOfChain(chain).name, rpcUrl: chain.rpcUrl };
  const ownerOf = async (again: boolean): Promise<Address | undefined> => {
    await connectOn(wallet, numberOf(chain.chainId), { again, known });
    const shared = await wallet.request<readonly Address[]>('eth_accounts');
    return shared.find((each) => owners.some((owner) => isSameAddress(owner, each)));
  };
  const address = (await ownerOf(false)) ?? (await ownerOf(true));
  if (address === undefined)
    throw new Error(
      `None of the accounts that ${wallet.name} shares with this page can still sign. Connect an owner’s account to this page in ${wallet.name}, then try again.`,
    );
  const signature = await wallet.request('eth_signTypedData_v4', [address, typedDataOf(proposal)]);
  return signedBy(proposal, { address: address.toLowerCase() as Hex, isContract: false }, signature, node);
}

/**
 * Signs with a passkey of this browser.
 *
 * @throws If the person cancels, the network does not accept the signature, or the node does not respond.
 */
export async function signAsPasskey(
  proposal: AnyProposal,
  passkey: Passkey,
  node: NodeClient,
): Promise<OwnerSignature> {
  const signature = await signWithPasskey(passkey, proposal.hash);
  await assertSignerAccepts(passkey, { data: preimageOf(proposal), signature }, node);
  keepPasskey({ ...passkey, hasSigned: true });
  return { address: passkey.signer, isContract: true, signature };
}

/**
 * Signs with a passkey that this browser does not know yet: the person chooses it, and its signature tells whose it is.
 *
 * @param owners - Those that have not signed.
 * @throws If the passkey is none of them, the network does not accept its signature, or the node does not respond.
 */
export async function signAsAnyPasskey(
  proposal: AnyProposal,
  owners: readonly Hex[],
  { chain, node }: { readonly chain: Chain; readonly node: NodeClient },
): Promise<OwnerSignature> {
  const { points, signature } = await askForPasskey(proposal.hash);
  const signer = (await signersFor(points, chain)).find((one) => isIn(owners, one.signer))?.signer;
  if (signer === undefined) throw new Error('This passkey is none of the owners that have not signed.');
  await assertSignerAccepts({ signer }, { data: preimageOf(proposal), signature }, node);
  return { address: signer, isContract: true, signature };
}

/** Takes a signature that was made elsewhere. */
export const signatureFrom = (
  proposal: AnyProposal,
  owner: Owner,
  signature: string,
  node: NodeClient,
): Promise<OwnerSignature> => signedBy(proposal, owner, signature.trim(), node);

/** A user operation that this page gave to a bundler. */
export type HandedOver = {
  readonly hash: Hex;
  /** The bundler did not answer, so it may have the operation or not. */
  readonly isUnclear: boolean;
};

/**
 * Joins the signatures of a message's owners, and asks the account whether it accepts them (ERC-1271).
 *
 * @param signatures - Verified ones.
 * @returns The signature of the account.
 * @throws If signatures are missing, the account does not accept them, or the node does not respond.
 */
export async function signatureOfMessage(
  { content, safe }: SafeMessage,
  signatures: readonly OwnerSignature[],
  current: SafeOwners,
  node: NodeClient,
): Promise<Hex> {
  const signature = messageSignature(signatures, current);
  if (!(await isAccountSignature({ address: safe, hash: contentHash(content), signature }, node)))
    throw new Error('The account does not accept the signatures of its owners, says its node. Nothing was given out.');
  return signature;
}

/**
 * Sends a proposal with all signatures to the network's bundler.
 *
 * @param signatures - Verified ones.
 * @throws If signatures are missing, or the bundler refuses it. Nothing was sent then.
 */
export async function sendProposal(
  { operation, chainId, validity }: SafeProposal,
  signatures: readonly OwnerSignature[],
  current: SafeOwners,
  { bundlerUrl }: Chain,
): Promise<HandedOver> {
  if (bundlerUrl === undefined) throw new Error('This network has no bundler. Add one in Settings.');
  const signed = { ...operation, signature: completeSignature(signatures, current, validity) };
  const domain = { version: '0.7', entryPoint: PROPOSAL_ENTRY_POINT, chainId } as const;
  try {
    return { hash: await new BundlerClient({ url: bundlerUrl }).sendUserOperation(signed, domain), isUnclear: false };
  } catch (error) {
    if (!(error instanceof ServiceFailedError)) throw error;
    return { hash: toHex(userOperationHash(signed, domain)), isUnclear: true };
  }
}
