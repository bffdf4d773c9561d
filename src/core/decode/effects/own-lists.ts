import { isIn, isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { type ListChange } from '../words/own-changes';

/** A list of owners or guardians, and how many of them are needed. */
export type ListNow = { readonly members: readonly Hex[]; readonly threshold: bigint };

type ListStep = { readonly added?: Hex; readonly removed?: Hex; readonly threshold?: bigint };

const without = (list: readonly Hex[], member: Hex): readonly Hex[] =>
  list.filter((one) => !isSameAddress(one, member));

/** What several steps come to: whoever is added and removed again is neither. */
export function netChange(steps: readonly ListStep[]): ListChange {
  let [added, removed]: [readonly Hex[], readonly Hex[]] = [[], []];
  let threshold: bigint | undefined;
  for (const step of steps) {
    if (step.removed !== undefined) {
      if (isIn(added, step.removed)) added = without(added, step.removed);
      else removed = [...removed, step.removed];
    }
    if (step.added !== undefined) {
      if (isIn(removed, step.added)) removed = without(removed, step.added);
      else added = [...added, step.added];
    }
    threshold = step.threshold ?? threshold;
  }
  return { added, removed, threshold };
}

/** @returns The list after several steps; undefined if a contract with the list from before would refuse one of them. */
export function afterSteps(steps: readonly ListStep[], before: ListNow): ListNow | undefined {
  let { members, threshold } = before;
  for (const step of steps) {
    if (step.removed !== undefined) {
      if (!isIn(members, step.removed)) return undefined;
      members = without(members, step.removed);
    }
    if (step.added !== undefined) {
      if (isIn(members, step.added)) return undefined;
      members = [...members, step.added];
    }
    threshold = step.threshold ?? threshold;
    if (threshold > BigInt(members.length)) return undefined;
  }
  return { members, threshold };
}
