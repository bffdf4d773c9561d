import { base64UrlOfBytes, bytesOfBase64Url } from '../../core/eth/base64';
import { type Hex } from '../../core/eth/bytes';
import { isSameAddress } from '../../core/eth/address';
import { type Proposed } from '../../core/methods/results';
import { type OwnerSignature } from '../../core/erc4337/safe/owners/signatures';
import {
  MAX_PROPOSAL_LENGTH,
  newProposal,
  readProposal,
  type SafeProposal,
  withSignature,
  writeProposal,
} from '../../core/schemas/safe-proposal';
import { toUserOperation } from '../../core/schemas/user-operation';
import { type SnapClient } from './snap-client';
import { listOf, stored } from './stored';
import { type Account } from './types';
import { numberOf } from './units';

type Kept = { readonly hash: Hex; readonly text: string };

const isKept = (entry: unknown): entry is Kept => {
  const { hash, text } = (entry ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return typeof hash === 'string' && typeof text === 'string';
};

/** The proposals that this page was given or collects signatures for, by their hash. Kept in this browser. */
const kept = stored('keystead.proposals', listOf(isKept), []);

/** @returns The proposals of these entries; unreadable ones are left out. */
async function readKept(entries: readonly Kept[]): Promise<readonly SafeProposal[]> {
  const read = await Promise.all(entries.map(({ text }) => readProposal(text).catch(() => undefined)));
  return read.filter((proposal) => proposal !== undefined);
}

/** The validity before a Safe's signatures takes 12 bytes. */
const SIGNATURE_START = 2 + 2 * 12;

/** The account's own key signed it in the snap. */
function ofSnap({ chainId, operation }: Proposed, accounts: readonly Account[]): SafeProposal | undefined {
  const account = accounts.find(({ address }) => isSameAddress(address, operation.sender));
  const owner = account?.options.owner;
  if (typeof owner !== 'string') return undefined;
  const signature: Hex = `0x${operation.signature.slice(SIGNATURE_START)}`;
  const proposal = newProposal(toUserOperation(operation), numberOf(chainId));
  return withSignature(proposal, { address: owner.toLowerCase() as Hex, isContract: false, signature });
}

/** @returns A proposal with the signatures of another copy that it lacks. */
const merged = (one: SafeProposal, other: SafeProposal): SafeProposal =>
  other.signatures
    .filter(({ address }) => !one.signatures.some((has) => isSameAddress(has.address, address)))
    .reduce(withSignature, one);

/** The number of proposals that a browser keeps. */
const MAX_KEPT = 50;

/** @throws If it could not be read again, or the browser keeps as many as it may. What was kept before stays. */
async function write(proposal: SafeProposal): Promise<SafeProposal> {
  const text = writeProposal(proposal);
  await readProposal(text);
  const others = kept.read().filter(({ hash }) => hash !== proposal.hash);
  if (others.length >= MAX_KEPT)
    throw new Error(`This browser keeps at most ${MAX_KEPT} proposals. Remove one, then try again.`);
  kept.write([...others, { hash: proposal.hash, text }]);
  return proposal;
}

async function keptCopy({ hash }: SafeProposal): Promise<SafeProposal | undefined> {
  const read = await readKept(kept.read().filter((entry) => entry.hash === hash));
  return read.find((proposal) => proposal.hash === hash);
}

/**
 * Keeps a proposal of a co-owner. Its signatures are added to those that were collected before, and replace
 * none of them.
 *
 * @returns What is kept.
 * @throws If it is too large, or the browser keeps as many proposals as it may.
 */
export async function keepProposal(proposal: SafeProposal): Promise<SafeProposal> {
  const before = await keptCopy(proposal);
  return write(before === undefined ? proposal : merged(before, proposal));
}

export function forgetProposal({ hash }: SafeProposal): void {
  kept.write(kept.read().filter((entry) => entry.hash !== hash));
}

/**
 * Adds signatures to a proposal, which is kept from then on. They take the place of earlier ones of the same owners.
 *
 * @param added - Verified ones.
 * @param refused - Whose signatures do not count, so that they are not kept.
 * @throws If it is too large, or the browser keeps as many proposals as it may.
 */
export async function addSignatures(
  proposal: SafeProposal,
  added: readonly OwnerSignature[],
  refused: readonly Hex[] = [],
): Promise<SafeProposal> {
  const before = await keptCopy(proposal);
  const whole = before === undefined ? proposal : merged(proposal, before);
  const signatures = whole.signatures.filter(({ address }) => !refused.some((each) => isSameAddress(each, address)));
  return write(added.reduce(withSignature, { ...whole, signatures }));
}

/** A proposal, and whether Keystead prepared it here: then nobody else chose its gas and who pays. */
export type ListedProposal = SafeProposal & { readonly wasPrepared: boolean };

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
      return { ...(copy === undefined ? proposal : merged(proposal, copy)), wasPrepared: true };
    }),
    ...own
      .filter(({ hash }) => !fromSnap.some((proposal) => proposal.hash === hash))
      .map((proposal) => ({ ...proposal, wasPrepared: false })),
  ];
}

/**
 * The part of a proposal from a file or a link that is shown. Nothing of it is kept: opening a link takes no click.
 *
 * @returns The proposal with the signatures that are known here, and whether all of it is kept already.
 */
export async function openedProposal(
  proposal: SafeProposal,
  client: SnapClient,
  accounts: readonly Account[],
): Promise<{ readonly proposal: ListedProposal; readonly isKept: boolean }> {
  const listed = (await listProposals(client, accounts)).find(({ hash }) => hash === proposal.hash);
  if (listed === undefined) return { proposal: { ...proposal, wasPrepared: false }, isKept: false };
  const whole = merged(listed, proposal);
  return {
    proposal: { ...whole, wasPrepared: listed.wasPrepared },
    isKept: whole.signatures.length === listed.signatures.length,
  };
}

const LINK = /#\/proposals\/open\/([\w-]+)$/u;

/** @returns The part of a link that stands for a proposal: its JSON in base64url. */
export function linkPartOf(proposal: SafeProposal): string {
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
export function openProposal(text: string): Promise<SafeProposal> {
  const [, part] = LINK.exec(text.trim()) ?? [];
  return readProposal(part === undefined ? text : fromLinkPart(part));
}

/** @returns The text of a proposal file. @throws If it is too large, before it is read. */
export function textOf(file: File): Promise<string> {
  if (file.size > MAX_PROPOSAL_LENGTH) throw new Error(`proposal: must have at most ${MAX_PROPOSAL_LENGTH} bytes`);
  return file.text();
}

/** @param part - From a link; see {@link linkPartOf}. */
export const openLinkPart = (part: string): Promise<SafeProposal> =>
  Promise.resolve().then(() => readProposal(fromLinkPart(part)));
