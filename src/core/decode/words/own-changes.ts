import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { type PendingRecovery } from '../../recovery/pending';
import { dayWords, durationWords } from './time';

/** A sentence names no more of several. A screen shows all of them in full besides. */
const MAX_NAMED = 3;

/** How sentences name an address, and the account that changes if it is not the reader's own: " of 0x…", else "". */
export type OwnWords = { readonly name: (address: Hex) => string; readonly whose?: string };

/** A change of owners or guardians. `threshold` is the number that is needed from then on, if the change sets it. */
export type ListChange = {
  readonly added: readonly Hex[];
  readonly removed: readonly Hex[];
  readonly threshold?: bigint | undefined;
};

/** A list of owners or guardians, and how many of them are needed. */
export type ListState = { readonly count: number; readonly threshold: bigint };

function listed(all: readonly Hex[], { name }: OwnWords): string {
  const names = all.slice(0, MAX_NAMED).map(name);
  if (all.length > MAX_NAMED) names.push(`${all.length - MAX_NAMED} more`);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

const countAfter = ({ added, removed }: ListChange, before: ListState | undefined): number | undefined =>
  before && before.count + added.length - removed.length;

/** ", not 2 as before", if fewer are needed than before. */
const unlike = (needed: bigint | undefined, before: ListState | undefined): string =>
  before !== undefined && needed !== undefined && needed < before.threshold
    ? `, not ${before.threshold} as before`
    : '';

function signingRule(needed: bigint | undefined, count: number | undefined): string | undefined {
  if (needed === undefined) return undefined;
  if (count === undefined) return needed === 1n ? 'any owner can sign alone' : `${needed} owners must sign`;
  if (count === 1) return 'its one owner signs alone';
  if (needed > 1n) return `${needed} of ${count} owners must sign`;
  return count === 2 ? 'either can sign alone' : `any of ${count} owners can sign alone`;
}

/**
 * A change of an account's owners by what it comes to: "Add 0x… as owner: either can sign alone".
 *
 * @param before - Undefined if it is not known: then nothing is compared.
 */
export function ownersSentence(change: ListChange, before: ListState | undefined, words: OwnWords): string {
  const { added, removed, threshold } = change;
  const { whose = '' } = words;
  const needed = threshold ?? before?.threshold;
  const rule = signingRule(needed, countAfter(change, before));
  const end = rule === undefined ? '' : `${rule}${unlike(needed, before)}`;
  const [plus, minus] = [listed(added, words), listed(removed, words)];
  if (plus === '' && minus === '') return `From now on ${end}${whose === '' ? '' : ` (owners${whose})`}`;
  const as = (count: number): string => `as owner${count === 1 ? '' : 's'}${whose}`;
  const head =
    plus === ''
      ? `Remove ${minus} ${as(removed.length)}`
      : minus === ''
        ? `Add ${plus} ${as(added.length)}`
        : added.length === 1 && removed.length === 1
          ? `Replace owner ${minus}${whose} with ${plus}`
          : `Remove ${minus} and add ${plus} ${as(2)}`;
  return end === '' ? head : `${head}: ${end}`;
}

function confirmingRule(needed: bigint, count: number | undefined): string {
  if (count === undefined) return needed === 1n ? 'any of its guardians' : `any ${needed} of its guardians`;
  if (count === 1) return 'that guardian alone';
  if (needed === BigInt(count)) return count === 2 ? 'both together' : `all ${count} together`;
  return needed === 1n ? 'any one' : `any ${needed}`;
}

/** What the guardians of an account depend on besides their list. */
export type GuardianFacts = {
  /** The delay of the module in seconds. */
  readonly period: bigint;
  /** How many owners the account has, if that is known. */
  readonly owners: number | undefined;
  /** The module is switched on or off in the same request. */
  readonly turns?: 'on' | 'off' | undefined;
};

/**
 * A change of an account's guardians by what it comes to: "Set 3 guardians: any 2 can replace the owner after 3 days".
 *
 * @param before - Undefined if it is not known: then nothing is compared.
 */
export function guardiansSentence(
  change: ListChange,
  before: ListState | undefined,
  { period, owners, turns }: GuardianFacts,
  words: OwnWords,
): string {
  const { added, removed, threshold } = change;
  const { whose = '' } = words;
  const count = countAfter(change, before);
  const needed = threshold ?? before?.threshold;
  const minus = removed.length > MAX_NAMED ? counted(removed.length, 'guardian') : `guardian ${listed(removed, words)}`;
  if (turns === 'off') {
    const rest =
      removed.length > 0
        ? `: remove ${counted(removed.length, 'guardian')}`
        : count === 0
          ? ''
          : ', but keep its guardians';
    return `Turn off recovery${whose}${rest}`;
  }
  if (count === 0) return `Remove ${minus}${whose}: nobody is left to recover it`;
  const isFirst = before?.count === 0 && removed.length === 0 && added.length > 0;
  const left = count === undefined || isFirst ? '' : removed.length > 0 ? `, ${count} left` : `, ${count} in all`;
  const plus = `${isFirst ? 'Set' : 'Add'} ${counted(added.length, 'guardian')}`;
  const head =
    added.length === 0 && removed.length === 0
      ? turns === 'on'
        ? `Turn on recovery${whose}: `
        : `From now on${whose === '' ? '' : `,${whose},`} `
      : removed.length === 0
        ? `${plus}${whose}${left}: `
        : added.length === 0
          ? `Remove ${minus}${whose}${left}: `
          : `${plus} and remove ${minus}${whose}${left}: `;
  const who = needed === undefined ? 'the guardians that it has' : confirmingRule(needed, count);
  const owner = owners === 1 ? 'the owner' : 'the owners';
  return `${head}${who} can replace ${owner} after ${durationWords(period)}${unlike(needed, before)}`;
}

/**
 * The cancelling of a recovery: "Cancel the recovery that would give the account to 0x… on 3 December".
 *
 * @param pending - Undefined if it is not known.
 * @param now - Seconds since 1970.
 */
export function cancelSentence(
  pending: Pick<PendingRecovery, 'newOwners' | 'executeAfter'> | undefined,
  now: bigint,
  words: OwnWords,
): string {
  const { whose = '' } = words;
  if (pending === undefined) return `Cancel the recovery${whose === '' ? ' of this account' : whose}`;
  const when = pending.executeAfter > now ? `on ${dayWords(pending.executeAfter, now)}` : 'now';
  return `Cancel the recovery${whose} that would give the account to ${listed(pending.newOwners, words)} ${when}`;
}
