import { isIn, isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { type ListChange } from '../words/own-changes';
import { type Change } from './effect';

/** A list of owners or guardians, and how many of them are needed. */
export type ListNow = { readonly members: readonly Hex[]; readonly threshold: bigint };

type Outcome = {
  readonly change: ListChange;
  /** The lists before and after it, unless a contract with the list before would refuse a step. */
  readonly before: ListNow | undefined;
  readonly after: ListNow | undefined;
};

/** Several steps by what they come to: whoever is added and removed again is neither. */
export function comingTo(steps: readonly Change[], known: ListNow | undefined): Outcome {
  const members = new Set(known?.members.map((one) => one.toLowerCase()));
  let [added, removed]: [Hex[], Hex[]] = [[], []];
  let threshold: bigint | undefined;
  let isPossible = known !== undefined;
  for (const step of steps) {
    const [old, fresh] = [step.removed, step.added];
    if (old !== undefined) {
      isPossible &&= members.delete(old.toLowerCase());
      if (isIn(added, old)) added = added.filter((one) => !isSameAddress(one, old));
      else removed.push(old);
    }
    if (fresh !== undefined) {
      isPossible &&= !members.has(fresh.toLowerCase());
      members.add(fresh.toLowerCase());
      if (isIn(removed, fresh)) removed = removed.filter((one) => !isSameAddress(one, fresh));
      else added.push(fresh);
    }
    threshold = step.threshold ?? threshold;
    isPossible &&= (threshold ?? known?.threshold ?? 0n) <= members.size;
  }
  const change = { added, removed, threshold };
  if (!isPossible || known === undefined) return { change, before: undefined, after: undefined };
  const after = { members: [...members] as Hex[], threshold: threshold ?? known.threshold };
  return { change, before: known, after };
}
