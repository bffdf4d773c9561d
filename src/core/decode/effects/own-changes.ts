import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { recoveryModuleAt } from '../../recovery/modules';
import { nameOf } from '../words/names';
import { durationWords } from '../words/time';
import { type WordScene } from '../scene';
import { type Control, type FoundEffect, type NameOf } from './effect';

/** A change, and the contract that it is about: the account, or the module that keeps its guardians. */
type Changed = Control & { readonly change: NonNullable<Control['change']> };

/** Of a module that Keystead does not know, nobody can say what its steps come to. */
const isChange = (effect: FoundEffect): effect is FoundEffect & Changed =>
  effect.kind === 'control' &&
  effect.change !== undefined &&
  (effect.change.module === undefined || recoveryModuleAt(effect.change.module) !== undefined);

/** A sentence names no more of several. All of them are on the screen in full. */
const MAX_NAMED = 3;

function listed(all: readonly Hex[], name: NameOf): string {
  const names = all.slice(0, MAX_NAMED).map(name);
  if (all.length > MAX_NAMED) names.push(`${all.length - MAX_NAMED} more`);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** How many guardians are enough, whatever others there are. */
const enough = (threshold: bigint): string =>
  threshold === 1n ? 'any of its guardians' : `any ${threshold} of its guardians`;

/** What several changes of the guardians of an account come to, as the rest of a sentence. */
function guardiansOutcome(changes: readonly Changed[], module: Hex, account: Hex, name: NameOf): string {
  const of = (what: 'added' | 'removed'): Hex[] => changes.flatMap(({ change }) => change[what] ?? []);
  const [added, removed] = [of('added'), of('removed')];
  const threshold = changes.at(-1)?.change.threshold ?? 1n;
  const delay = durationWords(recoveryModuleAt(module)?.period ?? 0n);
  const parts = [
    ...(added.length > 0 ? [`adds ${counted(added.length, 'guardian')} of ${name(account)}`] : []),
    ...(removed.length > 0 ? [`removes ${listed(removed, name)} from the guardians of ${name(account)}`] : []),
  ];
  const rest = `${enough(threshold)} can replace its owners after ${delay}`;
  if (parts.length === 0) return `means that, for ${name(account)}, ${rest}`;
  return `${parts.join(' and ')}: ${rest}${removed.length > 0 ? '. A recovery that has begun goes on' : ''}`;
}

/** What several changes of the owners of an account come to, as the rest of a sentence. */
function ownersOutcome(changes: readonly Changed[], account: Hex, name: NameOf): string {
  const of = (what: 'added' | 'removed'): Hex[] => changes.flatMap(({ change }) => change[what] ?? []);
  const [added, removed] = [of('added'), of('removed')];
  const [only, another] = changes;
  if (another === undefined && only?.change.added !== undefined && only.change.removed !== undefined)
    return only.does(name);
  const threshold = changes.map(({ change }) => change.threshold).findLast((one) => one !== undefined);
  const parts = [
    ...(added.length > 0
      ? [`makes ${listed(added, name)} ${added.length === 1 ? 'an owner' : 'owners'} of ${name(account)}`]
      : []),
    ...(removed.length > 0
      ? [`removes ${listed(removed, name)} as ${removed.length === 1 ? 'an owner' : 'owners'} of ${name(account)}`]
      : []),
  ];
  const needed =
    threshold === undefined
      ? ''
      : threshold === 1n
        ? 'any owner can sign alone from now on'
        : `${threshold} owners must sign from now on`;
  if (parts.length === 0) return `means that for ${name(account)}, ${needed}`;
  return `${parts.join(' and ')}${needed === '' ? '' : `: ${needed}`}`;
}

/**
 * Changes of the owners or the guardians of an account, by what they come to: each step alone says little, and would be
 * a danger of its own.
 *
 * @returns The effects with one control for each account and kind, in the place of the first of its steps.
 */
export function withOutcomes(effects: readonly FoundEffect[]): readonly FoundEffect[] {
  const groups = new Map<string, (Changed & FoundEffect)[]>();
  const keyOf = ({ change }: Changed): string => `${change.of}/${change.module}`.toLowerCase();
  for (const effect of effects)
    if (isChange(effect)) groups.set(keyOf(effect), [...(groups.get(keyOf(effect)) ?? []), effect]);
  if (groups.size === 0) return effects;
  // A module that is switched on for guardians in the same request is what their sentence is about.
  const isSaid = (effect: FoundEffect): boolean =>
    effect.kind === 'control' &&
    effect.enables !== undefined &&
    recoveryModuleAt(effect.enables) !== undefined &&
    [...groups.values()].some(
      ([first]) => first?.change.module !== undefined && isSameAddress(first.change.module, effect.enables ?? ''),
    );
  return effects.flatMap((effect): FoundEffect[] => {
    if (!isChange(effect)) return isSaid(effect) ? [] : [effect];
    const all = groups.get(keyOf(effect)) ?? [];
    if (all[0] !== effect) return [];
    const { of, module } = effect.change;
    const does = (name: NameOf): string =>
      module === undefined ? ownersOutcome(all, of, name) : guardiansOutcome(all, module, of, name);
    return [{ ...effect, does }];
  });
}

/** The title of a request that changes the owners or guardians of the account that signs, and nothing else. */
export function outcomeTitle(scene: WordScene): string | undefined {
  const { view, findings } = scene;
  const outcomes = withOutcomes(findings.effects);
  const [first] = outcomes.filter(isChange);
  const isOther = outcomes.some(
    (effect) =>
      (effect.kind === 'control' && effect !== first) ||
      (effect.kind === 'move' && effect.amount > 0n) ||
      (effect.kind === 'allow' && effect.amount > 0n) ||
      effect.kind === 'foreign-code' ||
      effect.kind === 'unread',
  );
  if (first === undefined || isOther || !isSameAddress(first.change.of, view.signer)) return undefined;
  const [sentence = ''] = first.does((at) => nameOf(at, view)).split('. ');
  const [verb = '', ...rest] = sentence.split(' ');
  // A number alone: only how many are needed changes.
  const words = verb === 'means' ? (sentence.split(', ').at(-1) ?? '') : [verb.replace(/s$/u, ''), ...rest].join(' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
