import { SIGNER_FACTORY } from '../../safe/contracts';
import { isIn, isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { LEAST_PERIOD, recoveryModuleAt } from '../../safe/recovery/modules';
import { type GuardedState, type OwnQuestion } from '../../safe/recovery/own-state';
import { type Line } from '../explanation';
import { type WordScene } from '../scene';
import { text } from '../words/lines';
import { nameOf, shortAddress } from '../words/names';
import { durationWords } from '../words/time';
import { cancelSentence, guardiansSentence, type ListState, ownersSentence } from '../words/own-changes';
import { type Change, type Control, type FactOf, type FoundEffect } from './effect';
import { comingTo, type ListNow } from './own-lists';

/** A step of a change: of owners, of guardians at a module, of the module itself, or the cancelling of a recovery. */
type Step = FoundEffect & ((Control & { readonly change: Change }) | FactOf<'cancel'>);

/** A change of who controls an account, by what its steps come to. */
export type OwnOutcome = {
  /** The account. */
  readonly of: Hex;
  readonly module?: Hex | undefined;
  /** The same words as on the page that asks for it, without a full stop. */
  readonly sentence: string;
  readonly isCancel: boolean;
  /** What makes it dangerous, whoever asks. */
  readonly dangers: readonly string[];
};

/** The changes of who controls an account, and all effects that are no steps of them. */
type OwnOutcomes = {
  readonly outcomes: readonly OwnOutcome[];
  readonly steps: readonly Step[];
  readonly rest: readonly FoundEffect[];
};

const changeOf = (step: Step): Change => (step.kind === 'cancel' ? step : step.change);

const keyOf = ({ of, module }: Change): string => `${of}/${module}`.toLowerCase();

const isKnown = (module: Hex, { view }: WordScene): boolean =>
  (recoveryModuleAt(module) !== undefined && !isIn(view.own?.otherCode ?? [], module)) ||
  isIn(view.vouchedFor ?? [], module);

/** The steps. The data of another contract may say anything, so it has none. */
function stepsIn(scene: WordScene): readonly Step[] {
  const all = scene.findings.effects.filter(
    (effect): effect is Step =>
      effect.known === 'signed' &&
      (effect.kind === 'cancel' || (effect.kind === 'control' && effect.change !== undefined)),
  );
  // What the calls of an unknown module do is not known. Only switching it on or off has a meaning.
  const switched = new Set(all.map(changeOf).flatMap((change) => (change.turns === undefined ? [] : [keyOf(change)])));
  const isMeant = (step: Step): boolean => {
    const { module } = changeOf(step);
    return (
      module === undefined || isKnown(module, scene) || (step.kind === 'control' && switched.has(keyOf(step.change)))
    );
  };
  return all.filter(isMeant);
}

/** A call of the account to itself, to a known module that it changes, or to the factory of passkeys' signers. */
const isOwnCall = ({ to }: FactOf<'call'>, steps: readonly Step[], scene: WordScene): boolean =>
  isIn(
    [
      SIGNER_FACTORY,
      ...steps.map(changeOf).flatMap(({ of, module }) => [of, ...(module && isKnown(module, scene) ? [module] : [])]),
    ],
    to,
  );

/** The list of calls that a call is in, and its number there. */
const placeOf = (at: string): readonly [list: string, index: number] => {
  const dot = at.lastIndexOf('.');
  return [at.slice(0, dot), Number(at.slice(dot + 1))];
};

/**
 * Steps of one kind with nothing but other such steps between them. Any other call between them, even one without data,
 * could use what the first of them allow, so what the last of them come to is not all that happens.
 */
function groupsOf(steps: readonly Step[], scene: WordScene): readonly (readonly Step[])[] {
  const own = scene.findings.effects.filter(
    (effect) => effect.kind === 'call' && effect.known === 'signed' && isOwnCall(effect, steps, scene),
  );
  const places = [...new Set([...steps, ...own].map(({ at }) => at))].sort();
  const groups = new Map<string, Step[]>();
  let breaks = 0;
  let before: string | undefined;
  for (const at of places) {
    const [list, index] = placeOf(at);
    const [listBefore, indexBefore] = before === undefined ? [list, index - 1] : placeOf(before);
    if (list !== listBefore || index !== indexBefore + 1) breaks++;
    before = at;
    for (const step of steps.filter((one) => one.at === at)) {
      const key = `${keyOf(changeOf(step))}${breaks}`;
      groups.set(key, [...(groups.get(key) ?? []), step]);
    }
  }
  return [...groups.values()];
}

type Guarded = ListNow & Pick<GuardedState, 'pending'>;

/** What is known of an account while its changes are read one after another. */
type Running = { owners: ListNow | undefined; readonly guarded: (module: Hex) => Guarded | undefined };

function startOf(account: Hex, { view }: WordScene): Running {
  const { own, ownKey, node, signer } = view;
  const isSigner = isSameAddress(account, signer);
  if (isSigner && view.isDeployed === false && ownKey !== undefined)
    return { owners: { members: [ownKey], threshold: 1n }, guarded: () => ({ members: [], threshold: 0n }) };
  // What a node says that a site added may be what that site likes, so nothing is compared with it.
  const state = isSigner && node?.addedBy === undefined ? own?.state : undefined;
  return {
    owners: state && { members: state.owners, threshold: state.threshold },
    guarded: (module) => {
      const found = state?.guarded.find((one) => isSameAddress(one.module, module));
      return found && { ...found, members: found.guardians };
    },
  };
}

const stateOf = (list: ListNow | undefined): ListState | undefined =>
  list && { count: list.members.length, threshold: list.threshold };

/** Sentences, each of which is said if it holds. */
const saying = (...all: readonly (readonly [holds: boolean, sentence: string])[]): string[] =>
  all.flatMap(([holds, sentence]) => (holds ? [sentence] : []));

const FEWER = 'Fewer than before are enough.';

/** What the steps of one group come to. */
function outcomeOf(group: readonly Step[], running: Running, scene: WordScene): OwnOutcome {
  const { view } = scene;
  const changes = group.map(changeOf);
  const { of, module } = changes[0] as Change;
  // A node that a site added may call any address a passkey.
  const passkeys = view.node?.addedBy === undefined ? (view.own?.passkeys ?? []) : [];
  const name = (at: Hex): string => (isIn(passkeys, at) ? 'a passkey' : nameOf(at, view));
  const cancels = group.filter(({ kind }) => kind === 'cancel').length;
  const isCancel = cancels === group.length;
  const turns = changes.findLast((change) => change.turns !== undefined)?.turns;
  const isOff = turns === 'off';
  const same = { of, module, isCancel };
  if (module !== undefined && !isKnown(module, scene)) {
    const [what, whose] = [shortAddress(module), nameOf(of, view)];
    if (!changes.some(({ turns: one }) => one === 'on'))
      return { ...same, sentence: `Remove module ${what} from ${whose}`, dangers: [] };
    return {
      ...same,
      sentence: `Let module ${what} act for ${whose} without its owners' signatures`,
      dangers: ['Keystead does not know the code of this module. It can do anything, without a delay.'],
    };
  }
  const guarded = module && running.guarded(module);
  const { change, before, after } = comingTo(changes, module === undefined ? running.owners : guarded);
  const needed = change.threshold ?? before?.threshold ?? 0n;
  const isFewer = before !== undefined && needed < before.threshold;
  if (module === undefined) {
    running.owners = after;
    const losesKey = view.ownKey !== undefined && isSameAddress(of, view.signer) && isIn(change.removed, view.ownKey);
    return {
      ...same,
      sentence: ownersSentence(change, stateOf(before), name),
      dangers: saying([isFewer, FEWER], [losesKey, 'Keystead can then no longer sign for this account.']),
    };
  }
  const period = recoveryModuleAt(module)?.period ?? 0n;
  const facts = { period, owners: running.owners?.members.length, turns };
  const isWeaker = (isOff || change.removed.length > 0) && cancels === 0;
  return {
    ...same,
    sentence: [
      ...(cancels > 0 ? [cancelSentence(guarded?.pending, view.now, name)] : []),
      ...(isCancel ? [] : [guardiansSentence(change, stateOf(before), facts, name)]),
    ].join('. '),
    dangers: saying(
      [isWeaker && (before === undefined || guarded?.pending !== undefined), 'A recovery that has begun goes on.'],
      [isFewer, FEWER],
      [needed === 1n && (after?.members ?? change.added).length > 1, 'One guardian alone can take the account.'],
      [
        !isOff && period < LEAST_PERIOD && change.added.length > 0,
        `The delay of ${durationWords(period)} is too short to notice a recovery.`,
      ],
    ),
  };
}

/** The changes of who controls an account, by what they come to. */
export function ownOutcomes(scene: WordScene): OwnOutcomes {
  const { effects } = scene.findings;
  const steps = stepsIn(scene);
  if (steps.length === 0) return { outcomes: [], steps, rest: effects };
  const running = new Map<string, Running>();
  const outcomes = groupsOf(steps, scene).map((group) => {
    const { of } = changeOf(group[0] as Step);
    const now = running.get(of) ?? startOf(of, scene);
    running.set(of, now);
    return outcomeOf(group, now, scene);
  });
  // That a call is one to the account itself is no news if its steps say what it does.
  const isSelfSaid = effects.every(
    (effect) =>
      effect.kind !== 'call' ||
      !isSameAddress(effect.to, scene.view.signer) ||
      steps.some(({ at }) => at.startsWith(effect.at)),
  );
  const isStep = new Set<FoundEffect>(steps);
  return {
    outcomes,
    steps,
    rest: effects.filter((effect) => !isStep.has(effect) && !(isSelfSaid && effect.kind === 'self-call')),
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
  const { outcomes, steps, rest } = ownOutcomes(scene);
  const [first, another] = outcomes;
  if (first === undefined || another !== undefined || !isSameAddress(first.of, scene.view.signer)) return undefined;
  const isOther = rest.some((effect) =>
    effect.kind === 'call'
      ? effect.isUnread === true ||
        effect.known === 'claimed' ||
        !(isOwnCall(effect, steps, scene) || steps.some(({ at }) => at === effect.at))
      : !SILENT.includes(effect.kind) && !(effect.kind === 'named' && !effect.isRecipient),
  );
  return isOther ? undefined : first.sentence;
}

/** What a node can say about the changes of the account that signs; undefined if there are none, or it was asked. */
export function ownQuestion(scene: WordScene): OwnQuestion | undefined {
  const { view, findings } = scene;
  if (view.own !== undefined) return undefined;
  const own = stepsIn(scene)
    .map(changeOf)
    .filter(({ of }) => isSameAddress(of, view.signer));
  if (own.length === 0) return undefined;
  const modules = own.flatMap(({ module }) => (module && isKnown(module, scene) ? module.toLowerCase() : []));
  return {
    account: view.isDeployed === false ? undefined : view.signer,
    modules: [...new Set(modules)] as Hex[],
    signers: findings.effects.flatMap((effect) => (effect.kind === 'passkey' ? [effect.parts] : [])),
  };
}

/** What a node says of the account before its changes, and which node: nothing else vouches for that. */
export function beforeLines({ view: { own, node } }: WordScene): Line[] {
  const state = own?.state;
  if (state === undefined || node === undefined) return [];
  const { owners, threshold, guarded } = state;
  const parts = [
    `${threshold} of ${counted(owners.length, 'owner')}`,
    ...guarded.flatMap(({ guardians, threshold: needed, pending }) => [
      guardians.length === 0 ? 'no guardians' : `${needed} of ${counted(guardians.length, 'guardian')}`,
      ...(pending === undefined ? [] : ['a recovery has begun']),
    ]),
  ];
  const by = node.addedBy === undefined ? '' : `, a node that ${node.addedBy} added`;
  return [text('Before', `${parts.join(', ')}, says ${node.name}${by}`)];
}
