import { SIGNER_FACTORY } from '../../erc4337/safe/contracts';
import { isIn, isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { LEAST_PERIOD, recoveryModuleAt } from '../../recovery/modules';
import { type GuardedState, type OwnQuestion } from '../../recovery/own-state';
import { type Line } from '../explanation';
import { type WordScene } from '../scene';
import { address, text } from '../words/lines';
import { nameOf, shortAddress } from '../words/names';
import {
  cancelSentence,
  guardiansSentence,
  type ListChange,
  type ListState,
  ownersSentence,
} from '../words/own-changes';
import { durationWords } from '../words/time';
import { type Change, type Control, type FactOf, type FoundEffect } from './effect';
import { afterSteps, type ListNow, netChange } from './own-lists';

/** A step of a change: of owners, of guardians at a module, of the module itself, or the cancelling of a recovery. */
type Step = FoundEffect & ((Control & { readonly change: Change }) | FactOf<'cancel'>);

/** A change of who controls an account, by what its steps come to. */
export type OwnOutcome = {
  /** The account. */
  readonly of: Hex;
  readonly module: Hex | undefined;
  /** The same words as on the page that asks for it, without a full stop. */
  readonly sentence: string;
  readonly isCancel: boolean;
  /** What makes it dangerous, whoever asks. */
  readonly dangers: readonly string[];
  readonly notes: readonly string[];
};

type Words = { readonly name: (address: Hex) => string; readonly whose: string };
type Part = Pick<OwnOutcome, 'sentence' | 'dangers' | 'notes'>;

const changeOf = (step: Step): Change => (step.kind === 'cancel' ? step : step.change);

const isKnown = (module: Hex, { view }: WordScene): boolean =>
  (recoveryModuleAt(module) !== undefined && !isIn(view.own?.otherCode ?? [], module)) ||
  isIn(view.vouchedFor ?? [], module);

/** Only what the account itself is signed to do counts: the data of another contract may say anything. */
function stepsIn(scene: WordScene): readonly Step[] {
  const all = scene.findings.effects.filter(
    (effect): effect is Step =>
      effect.known === 'signed' &&
      (effect.kind === 'cancel' || (effect.kind === 'control' && effect.change !== undefined)),
  );
  // Of a module that Keystead does not know, only the switch has a meaning.
  const isMeant = (step: Step): boolean => {
    const { module } = changeOf(step);
    if (module === undefined || isKnown(module, scene)) return true;
    return (
      step.kind === 'control' && all.some((one) => keyOf(one) === keyOf(step) && changeOf(one).turns !== undefined)
    );
  };
  return all.filter(isMeant).sort(byPlace);
}

const keyOf = (step: Step): string => `${changeOf(step).of}/${changeOf(step).module}`.toLowerCase();

/** In the order in which the calls are made. */
const byPlace = (a: FoundEffect, b: FoundEffect): number => (a.at < b.at ? -1 : a.at === b.at ? 0 : 1);

/** A call of the account to itself, to a module that it changes, or to the factory of passkeys' signers. */
const isOwnCall = ({ to }: FactOf<'call'>, steps: readonly Step[]): boolean =>
  isSameAddress(to, SIGNER_FACTORY) ||
  steps.some((step) => {
    const { of, module } = changeOf(step);
    return isSameAddress(to, of) || (module !== undefined && isSameAddress(to, module));
  });

/**
 * Steps of one kind that follow each other. A call of another contract between them could use what the first of them
 * allow, so what the last of them come to is not all that happens.
 */
function groupsOf(steps: readonly Step[], { findings }: WordScene): readonly (readonly Step[])[] {
  const calls = findings.effects.filter((effect) => effect.kind === 'call' && !isOwnCall(effect, steps));
  const groups: Step[][] = [];
  for (const step of steps) {
    const group = groups.findLast(([first]) => first !== undefined && keyOf(first) === keyOf(step));
    const last = group?.at(-1)?.at ?? '';
    if (group === undefined || calls.some(({ at }) => at > last && at < step.at)) groups.push([step]);
    else group.push(step);
  }
  return groups;
}

/** What is known of an account while its changes are read one after another. */
type Running = {
  owners: ListNow | undefined;
  readonly guarded: Map<string, ListNow & Pick<GuardedState, 'pending'>>;
  /** It has no guardians besides these. */
  readonly isComplete: boolean;
};

function startOf(account: Hex, { view }: WordScene): Running {
  const { own, ownKey, node, signer } = view;
  const isSigner = isSameAddress(account, signer);
  if (isSigner && view.isDeployed === false && ownKey !== undefined)
    return { owners: { members: [ownKey], threshold: 1n }, guarded: new Map(), isComplete: true };
  // What a node says that a site added may be what that site likes, so nothing is compared with it.
  const state = isSigner && node?.addedBy === undefined ? own?.state : undefined;
  return {
    owners: state && { members: state.owners, threshold: state.threshold },
    guarded: new Map(
      state?.guarded.map(({ module, guardians, threshold, pending }) => [
        module.toLowerCase(),
        { members: guardians, threshold, pending },
      ]),
    ),
    isComplete: false,
  };
}

const stateOf = (list: ListNow | undefined): ListState | undefined =>
  list && { count: list.members.length, threshold: list.threshold };

const isFewer = ({ threshold }: ListChange, before: ListNow | undefined): boolean =>
  before !== undefined && threshold !== undefined && threshold < before.threshold;

function ofOwners(changes: readonly Change[], running: Running, words: Words, { view }: WordScene): Part {
  // If a contract with the owners that the node says would refuse the change, the node is wrong.
  const after = running.owners && afterSteps(changes, running.owners);
  const before = after && running.owners;
  running.owners = after;
  const change = netChange(changes);
  const losesKey = view.ownKey !== undefined && words.whose === '' && isIn(change.removed, view.ownKey);
  return {
    sentence: ownersSentence(change, stateOf(before), words),
    dangers: [
      ...(isFewer(change, before) ? ['Fewer owners than before must sign.'] : []),
      ...(losesKey ? ['The key that Keystead has for this account can no longer sign for it.'] : []),
    ],
    notes: [],
  };
}

const lastTurn = (changes: readonly Change[]): 'on' | 'off' | undefined =>
  changes.map(({ turns }) => turns).findLast((one) => one !== undefined);

/** What makes guardians dangerous: few who are enough, or little time. */
function faultsOf(change: ListChange, before: ListNow | undefined, count: number, period: bigint): string[] {
  return [
    ...(isFewer(change, before) && count > 0 ? ['Fewer guardians than before are enough.'] : []),
    ...((change.threshold ?? before?.threshold) === 1n && count > 1
      ? ['One guardian alone can take the account.']
      : []),
    ...(period < LEAST_PERIOD ? [`${durationWords(period)} leave too little time to notice a recovery.`] : []),
  ];
}

function ofGuardians(steps: readonly Step[], module: Hex, running: Running, words: Words, { view }: WordScene): Part {
  const key = module.toLowerCase();
  const known = running.guarded.get(key) ?? (running.isComplete ? { members: [], threshold: 0n } : undefined);
  const isCancelled = steps.some(({ kind }) => kind === 'cancel');
  const cancel = isCancelled ? cancelSentence(known?.pending, view.now, words) : undefined;
  const changes = steps.flatMap((step) => (step.kind === 'cancel' ? [] : [step.change]));
  if (cancel !== undefined && changes.length === 0) return { sentence: cancel, dangers: [], notes: [] };
  const after = known && afterSteps(changes, known);
  const before = after && known;
  if (after === undefined) running.guarded.delete(key);
  else running.guarded.set(key, { ...after, pending: isCancelled ? undefined : known?.pending });
  const change = netChange(changes);
  const turns = lastTurn(changes);
  const period = recoveryModuleAt(module)?.period ?? 0n;
  const facts = { period, owners: running.owners?.members.length, turns };
  const sentence = guardiansSentence(change, stateOf(before), facts, words);
  const isWeaker = (change.removed.length > 0 || turns === 'off') && !isCancelled;
  const goesOn = isWeaker && (before === undefined || before.pending !== undefined);
  return {
    sentence: cancel === undefined ? sentence : `${cancel}. ${sentence}`,
    dangers: turns === 'off' ? [] : faultsOf(change, before, after?.members.length ?? change.added.length, period),
    notes: goesOn ? ['A recovery that has begun goes on.'] : [],
  };
}

function ofUnknown(changes: readonly Change[], module: Hex, words: Words, { view }: WordScene): Part {
  const whose = words.whose === '' ? 'your account' : words.whose.slice(' of '.length);
  const at = shortAddress(module);
  if (lastTurn(changes) === 'off') return { sentence: `Remove module ${at} from ${whose}`, dangers: [], notes: [] };
  const count = netChange(changes).added.length;
  const guardians = count === 0 ? '' : `, with ${counted(count, 'guardian')}`;
  return {
    sentence: `Let module ${at} act for ${whose} without its owners' signatures${guardians}`,
    dangers: [
      isIn(view.own?.otherCode ?? [], module)
        ? 'Its code on this network is not the one that Keystead knows. It can do anything, without a delay.'
        : 'Keystead does not know this module. It can do anything, without a delay.',
    ],
    notes: [],
  };
}

/** The changes of who controls an account, and all effects that are no steps of them. */
export function ownOutcomes(scene: WordScene): {
  readonly outcomes: readonly OwnOutcome[];
  readonly rest: readonly FoundEffect[];
} {
  const { view, findings } = scene;
  const steps = stepsIn(scene);
  if (steps.length === 0) return { outcomes: [], rest: findings.effects };
  const running = new Map<string, Running>();
  const outcomes = groupsOf(steps, scene).map((group): OwnOutcome => {
    const changes = group.map(changeOf);
    const { of, module } = changes[0] as Change;
    const now = running.get(of.toLowerCase()) ?? startOf(of, scene);
    running.set(of.toLowerCase(), now);
    const words: Words = {
      name: (at) => (isIn(view.own?.passkeys ?? [], at) ? 'a passkey' : nameOf(at, view)),
      whose: isSameAddress(of, view.signer) ? '' : ` of ${nameOf(of, view)}`,
    };
    const part =
      module === undefined
        ? ofOwners(changes, now, words, scene)
        : isKnown(module, scene)
          ? ofGuardians(group, module, now, words, scene)
          : ofUnknown(changes, module, words, scene);
    return { of, module, isCancel: group.every(({ kind }) => kind === 'cancel'), ...part };
  });
  const isStep = new Set<FoundEffect>(steps);
  // That a call is one to the account itself is no news if its steps say what it does.
  const isSelfSaid = findings.effects.every(
    (effect) =>
      effect.kind !== 'call' ||
      !isSameAddress(effect.to, view.signer) ||
      steps.some(({ at }) => at.startsWith(effect.at)),
  );
  return {
    outcomes,
    rest: findings.effects.filter((effect) => !isStep.has(effect) && !(isSelfSaid && effect.kind === 'self-call')),
  };
}

/** Effects that change nothing. */
const SILENT: readonly FoundEffect['kind'][] = [
  'note',
  'fee',
  'overhead',
  'paymaster',
  'network',
  'failure',
  'passkey',
];

/** The title of a request that changes who controls the account that signs, in one way, and does nothing else. */
export function outcomeTitle(scene: WordScene): string | undefined {
  const { outcomes, rest } = ownOutcomes(scene);
  const [first, another] = outcomes;
  if (first === undefined || another !== undefined || !isSameAddress(first.of, scene.view.signer)) return undefined;
  const steps = stepsIn(scene);
  const isOther = rest.some((effect) =>
    effect.kind === 'call'
      ? effect.isUnread === true || effect.known === 'claimed' || !isOwnCall(effect, steps)
      : !SILENT.includes(effect.kind) && !(effect.kind === 'named' && !effect.isRecipient),
  );
  return isOther ? undefined : first.sentence;
}

/** What a node can say about the changes of the account that signs; undefined if there are none, or it was asked. */
export function ownQuestion(scene: WordScene): OwnQuestion | undefined {
  const { view, findings } = scene;
  if (view.own !== undefined) return undefined;
  const changes = findings.effects.flatMap((effect) =>
    effect.kind === 'cancel'
      ? [effect]
      : effect.kind === 'control' && effect.change !== undefined
        ? [effect.change]
        : [],
  );
  const own = changes.filter(({ of }) => isSameAddress(of, view.signer));
  if (own.length === 0) return undefined;
  const modules = own
    .flatMap(({ module }) => (module === undefined ? [] : [recoveryModuleAt(module)?.address ?? []]))
    .flat();
  return {
    account: view.isDeployed === false ? undefined : view.signer,
    modules: [...new Set(modules)],
    signers: findings.effects.flatMap((effect) => (effect.kind === 'passkey' ? [effect.signer] : [])),
  };
}

/** What a node says of the account before its changes, and which node: nothing else vouches for that. */
export function beforeLines(scene: WordScene): Line[] {
  const { own, node, signer } = scene.view;
  const state = own?.state;
  if (state === undefined || node === undefined) return [];
  const outcomes = ownOutcomes(scene).outcomes.filter(({ of }) => isSameAddress(of, signer));
  const newOwners: Line[] = [];
  const parts = outcomes.flatMap(({ module, isCancel }): string[] => {
    if (module === undefined) return [`${state.threshold} of ${counted(state.owners.length, 'owner')} must sign`];
    const guarded = state.guarded.find((one) => isSameAddress(one.module, module));
    if (guarded === undefined) return [];
    const { guardians, threshold, pending } = guarded;
    newOwners.push(
      ...(pending?.newOwners ?? []).slice(0, 3).map((owner) => address('New owner by the recovery', owner)),
    );
    if (isCancel) return [pending === undefined ? 'no recovery has begun' : 'a recovery has begun'];
    return [guardians.length === 0 ? 'no guardians' : `${threshold} of ${counted(guardians.length, 'guardian')}`];
  });
  const by = node.addedBy === undefined ? node.name : `${node.name}, a node that ${node.addedBy} added`;
  return parts.length === 0 ? [] : [text('Before', `${[...new Set(parts)].join(', ')}, says ${by}`), ...newOwners];
}
