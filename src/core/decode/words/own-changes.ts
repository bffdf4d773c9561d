import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { type PendingRecovery } from '../../safe/recovery/pending';
import { dayWords, durationWords } from './time';

/** A sentence names no more of several. A screen shows all of them in full besides. */
const MAX_NAMED = 3;

/** Writes an address in a sentence. */
type NameOf = (address: Hex) => string;

/** A change of owners or guardians. `threshold` is the number that is needed from then on, if the change sets it. */
export type ListChange = {
  readonly added: readonly Hex[];
  readonly removed: readonly Hex[];
  readonly threshold?: bigint | undefined;
};

/** A list of owners or guardians, and how many of them are needed. */
export type ListState = { readonly count: number; readonly threshold: bigint };

function listed(all: readonly Hex[], name: NameOf): string {
  const names = all.slice(0, MAX_NAMED).map(name);
  if (all.length > MAX_NAMED) names.push(`${all.length - MAX_NAMED} more`);
  return names.join(', ').replace(/, (?=[^,]*$)/u, ' and ');
}

/** How many there are after a change, how many of them are needed, and a comparison if these are fewer than before. */
function afterwards({ added, removed, threshold }: ListChange, before: ListState | undefined) {
  const needed = threshold ?? before?.threshold;
  const count = before && before.count + added.length - removed.length;
  const isFewer = before !== undefined && needed !== undefined && needed < before.threshold;
  return { needed, count, unlike: isFewer ? `, not ${before.threshold} as before` : '' };
}

/**
 * A change of an account's owners by what it comes to: "Add 0x… as owner: either can sign alone".
 *
 * @param before - Undefined if it is not known: then nothing is compared.
 */
export function ownersSentence(change: ListChange, before: ListState | undefined, name: NameOf): string {
  const { needed, count, unlike } = afterwards(change, before);
  const rule =
    count === 1
      ? 'its one owner signs alone'
      : needed !== 1n
        ? `${needed}${count === undefined ? '' : ` of ${count}`} owners must sign`
        : `${count === undefined ? 'any owner' : count === 2 ? 'either' : `any of ${count} owners`} can sign alone`;
  const [plus, minus] = [listed(change.added, name), listed(change.removed, name)];
  if (plus === '' && minus === '') return `From now on ${rule}${unlike}`;
  const as = (all: readonly Hex[]): string => `as owner${all.length === 1 ? '' : 's'}`;
  const isSwap = change.added.length === 1 && change.removed.length === 1;
  const head = isSwap
    ? `Replace owner ${minus} with ${plus}`
    : [
        ...(minus === '' ? [] : [`Remove ${minus} ${as(change.removed)}`]),
        ...(plus === '' ? [] : [`${minus === '' ? 'Add' : 'add'} ${plus} ${as(change.added)}`]),
      ].join(', ');
  return needed === undefined ? head : `${head}: ${rule}${unlike}`;
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
  name: NameOf,
): string {
  const { added, removed } = change;
  const { needed, count, unlike } = afterwards(change, before);
  if (turns === 'off' && removed.length === 0 && added.length === 0)
    return `Turn off recovery${count === 0 ? '' : ', but keep its guardians'}`;
  const parts = [
    ...(turns === 'off' ? ['Turn off recovery'] : []),
    ...(removed.length === 0
      ? []
      : [`remove ${removed.length > 1 ? `${removed.length} guardians` : `guardian ${listed(removed, name)}`}`]),
    ...(added.length === 0 ? [] : [`${before?.count === 0 ? 'set' : 'add'} ${counted(added.length, 'guardian')}`]),
  ];
  if (parts.length === 0) parts.push(turns === 'on' ? 'Turn on recovery' : 'From now on');
  const head = parts.join(', ').replace(/^./u, (first) => first.toUpperCase());
  if (count === 0 || (turns === 'off' && added.length === 0)) return head;
  const left =
    count === undefined || count === added.length || parts[0] === 'From now on'
      ? ''
      : ` (${counted(count, 'guardian')} in all)`;
  const who =
    needed === undefined
      ? 'those it has'
      : count === 1
        ? 'that one alone'
        : needed === BigInt(count ?? 0)
          ? `all ${count} together`
          : needed === 1n
            ? 'any one'
            : `any ${needed}`;
  const colon = head === 'From now on' ? ' ' : `${left}: `;
  return `${head}${colon}${who} can replace the owner${owners === 1 ? '' : 's'} after ${durationWords(period)}${unlike}`;
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
  name: NameOf,
): string {
  if (pending === undefined) return 'Cancel the recovery of the account';
  const when = pending.executeAfter > now ? `on ${dayWords(pending.executeAfter)}` : 'now';
  return `Cancel the recovery that would give the account to ${listed(pending.newOwners, name)} ${when}`;
}
