import { base64UrlOfBytes, bytesOfBase64Url } from '../../core/eth/base64';
import { type Hex } from '../../core/eth/bytes';
import { isSameAddress } from '../../core/eth/address';
import { type AskedMessage, type Proposed } from '../../core/methods/results';
import { type OwnerSignature } from '../../core/safe/owners/signatures';
import { type AnyProposal, MAX_PROPOSAL_LENGTH, readProposal, writeProposal } from '../../core/schemas/any-proposal';
import { mergedWith, withoutSignatures, withSignature } from '../../core/schemas/owner-signatures';
import { newMessage } from '../../core/schemas/safe-message';
import { newProposal } from '../../core/schemas/safe-proposal';
import { toUserOperation } from '../../core/schemas/user-operation';
import { type SnapClient } from './snap-client';
import { listOf, stored } from './stored';
import { type Account } from './types';
import { numberOf } from './units';

type Kept = {
  readonly hash: Hex;
  readonly text: string;
  /** This page prepared it. */
  readonly wasPrepared?: true;
};

const isKept = (entry: unknown): entry is Kept => {
  const { hash, text } = (entry ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return typeof hash === 'string' && typeof text === 'string';
};

/** The proposals that this page was given or collects signatures for, by their hash. Kept in this browser. */
const kept = stored('keystead.proposals', listOf(isKept), []);

/** @returns The proposals of these entries; unreadable ones are left out. */
async function readKept(entries: readonly Kept[]): Promise<readonly ListedProposal[]> {
  const read = await Promise.all(
    entries.map(async ({ text, wasPrepared }) => {
      const proposal = await readProposal(text).catch(() => undefined);
      return proposal && { ...proposal, wasPrepared: wasPrepared === true };
    }),
  );
  return read.filter((proposal) => proposal !== undefined);
}

/** The validity before a Safe's signatures takes 12 bytes. */
const SIGNATURE_START = 2 + 2 * 12;

/** The account's own key signed it in the snap. */
function ofSnap(proposed: Proposed | AskedMessage, accounts: readonly Account[]): ListedProposal | undefined {
  const { chainId, account: address, origin } = proposed;
  const owner = accounts.find((one) => isSameAddress(one.address, address))?.options.owner;
  if (typeof owner !== 'string') return undefined;
  const own = { address: owner.toLowerCase() as Hex, isContract: false };
  if ('operation' in proposed) {
    const signature: Hex = `0x${proposed.operation.signature.slice(SIGNATURE_START)}`;
    const proposal = newProposal(toUserOperation(proposed.operation), numberOf(chainId));
    return { ...withSignature(proposal, { ...own, signature }), wasPrepared: true };
  }
  const { signature, message: bytes = '0x', typedData } = proposed;
  const content = typedData === undefined ? { message: bytes } : { typedData };
  const message = newMessage(content, address, numberOf(chainId));
  return {
    ...withSignature(message, { ...own, signature }),
    wasPrepared: true,
    site: origin,
  };
}

/** The number of proposals that a browser keeps. */
const MAX_KEPT = 50;

/** @throws If it could not be read again, or the browser keeps as many as it may. What was kept before stays. */
async function write<T extends AnyProposal>(proposal: T, isOwn = false): Promise<T> {
  const text = writeProposal(proposal);
  await readProposal(text);
  const before = kept.read();
  const others = before.filter(({ hash }) => hash !== proposal.hash);
  const wasPrepared = isOwn || before.some(({ hash, wasPrepared: was }) => hash === proposal.hash && was === true);
  if (others.length >= MAX_KEPT)
    throw new Error(`This browser keeps at most ${MAX_KEPT} proposals. Remove one, then try again.`);
  kept.write([...others, { hash: proposal.hash, text, ...(wasPrepared && { wasPrepared }) }]);
  return proposal;
}

async function keptCopy({ hash }: AnyProposal): Promise<AnyProposal | undefined> {
  const read = await readKept(kept.read().filter((entry) => entry.hash === hash));
  return read.find((proposal) => proposal.hash === hash);
}

/**
 * Keeps a proposal of a co-owner. Its signatures are added to those that were collected before, and replace
 * none of them.
 *
 * @param how - `isOwn`: this page prepared it. `refused`: signatures that do not count, so that they are not kept.
 * @returns What is kept.
 * @throws If it is too large, or the browser keeps as many proposals as it may.
 */
export async function keepProposal(
  proposal: AnyProposal,
  { isOwn = false, refused = [] }: { readonly isOwn?: boolean; readonly refused?: readonly OwnerSignature[] } = {},
): Promise<AnyProposal> {
  const before = await keptCopy(proposal);
  return write(withoutSignatures(before === undefined ? proposal : mergedWith(before, proposal), refused), isOwn);
}

export function forgetProposal({ hash }: AnyProposal): void {
  kept.write(kept.read().filter((entry) => entry.hash !== hash));
}

/**
 * Adds signatures to a proposal, which is kept from then on. They take the place of earlier ones of the same owners.
 *
 * @param added - Verified ones.
 * @param refused - Those that do not count, so that they are not kept.
 * @throws If it is too large, or the browser keeps as many proposals as it may.
 */
export async function addSignatures<T extends AnyProposal>(
  proposal: T,
  added: readonly OwnerSignature[],
  refused: readonly OwnerSignature[] = [],
): Promise<T> {
  const before = await keptCopy(proposal);
  const whole = before === undefined ? proposal : mergedWith(proposal, before);
  return write(added.reduce<T>(withSignature, withoutSignatures(whole, refused)));
}

/** What the page knows of a proposal besides its file. */
type Known = {
  /** Keystead prepared it here, so nobody else chose its gas and who pays. */
  readonly wasPrepared: boolean;
  /** The site that waits for a message. */
  readonly site?: string;
};
export type ListedProposal = AnyProposal & Known;

/** @returns What waits for signatures: of the snap, and of this browser, each once. */
export async function listProposals(
  client: SnapClient,
  accounts: readonly Account[],
): Promise<readonly ListedProposal[]> {
  const [proposed, own] = await Promise.all([client.dapp('keystead_getProposals'), readKept(kept.read())]);
  const fromSnap = proposed.flatMap((one) => ofSnap(one, accounts) ?? []);
  return [
    ...fromSnap.map((proposal) => {
      const copy = own.find(({ hash }) => hash === proposal.hash);
      return copy === undefined ? proposal : mergedWith(proposal, copy);
    }),
    ...own.filter(({ hash }) => !fromSnap.some((proposal) => proposal.hash === hash)),
  ];
}

/**
 * The part of a proposal from a file or a link that is shown. Nothing of it is kept: opening a link takes no click.
 *
 * @returns The proposal with the signatures that are known here, and whether all of it is kept already.
 */
export async function openedProposal(
  proposal: AnyProposal,
  client: SnapClient,
  accounts: readonly Account[],
): Promise<{ readonly proposal: ListedProposal; readonly isKept: boolean }> {
  const listed = (await listProposals(client, accounts)).find(({ hash }) => hash === proposal.hash);
  if (listed === undefined) return { proposal: { ...proposal, wasPrepared: false }, isKept: false };
  const whole = mergedWith(listed, proposal);
  return {
    proposal: whole,
    isKept: whole.signatures.length === listed.signatures.length,
  };
}

const LINK = /#\/proposals\/open\/([\w-]+)$/u;

/** @returns The part of a link that stands for a proposal: its JSON in base64url. */
export function linkPartOf(proposal: AnyProposal): string {
  const compact = JSON.stringify(JSON.parse(writeProposal(proposal)));
  return base64UrlOfBytes(new TextEncoder().encode(compact));
}

/** @throws If the part is not base64url. */
function fromLinkPart(part: string): string {
  try {
    return new TextDecoder().decode(bytesOfBase64Url(part));
  } catch {
    throw new Error('proposal: must be a file, or the whole link that a co-owner sent you');
  }
}

/**
 * @param text - The content of a proposal file, or a link to a proposal on any companion page.
 * @throws If it is not a proposal, or contradicts itself; names the field and the rule.
 */
export function openProposal(text: string): Promise<AnyProposal> {
  const [, part] = LINK.exec(text.trim()) ?? [];
  return readProposal(part === undefined ? text : fromLinkPart(part));
}

/** @returns The text of a proposal file. @throws If it is too large, before it is read. */
export function textOf(file: File): Promise<string> {
  if (file.size > MAX_PROPOSAL_LENGTH) throw new Error(`proposal: must have at most ${MAX_PROPOSAL_LENGTH} bytes`);
  return file.text();
}

/** @param part - From a link; see {@link linkPartOf}. */
export const openLinkPart = (part: string): Promise<AnyProposal> =>
  Promise.resolve().then(() => readProposal(fromLinkPart(part)));
