import { type WordScene } from '../../scene';
import { type Effect } from '../effect';
import { outcomeTitle, ownOutcomes } from '../own-changes';
import { MAX_ORDERS, ordersIn } from '../orders';
import { type Changes } from '../outcome';
import { MANY_BENEFICIARIES } from '../recipients';
import { Verdict } from '../verdict';
import {
  judgeControl,
  judgeDelegation,
  judgeForeignCode,
  judgeLimits,
  judgeOperation,
  judgeOutcome,
  judgeWithdrawal,
} from './control';
import { judgeOverhead, judgePaymaster, judgePrice } from './fees';
import { judgeMalformed, judgeNetwork, judgeOpaque, judgeSignIn } from './messages';
import { judgeCreation, judgeLeftCoins, judgeLosses, judgeMove, judgeUnread } from './moves';
import { judgeOrder } from './orders';
import { judgeEnds, judgePermissions, judgeSignature, judgeUnknownPermission } from './permissions';
import { judgeForeignNetworks, judgeRecipients, recipientsIn } from './recipients';

type Judge<Judged> = (effect: Judged, scene: WordScene, verdict: Verdict) => void;

/** The judge of each kind of effect, by itself. Effects that are missing here count only together, in {@link judge}. */
const JUDGES: { readonly [Kind in Effect['kind']]?: Judge<Extract<Effect, { readonly kind: Kind }>> } = {
  move: judgeMove,
  order: judgeOrder,
  creation: judgeCreation,
  allow: judgeEnds,
  permission: judgeUnknownPermission,
  signature: judgeSignature,
  control: judgeControl,
  withdrawal: judgeWithdrawal,
  delegation: judgeDelegation,
  'limits-unread': judgeLimits,
  'foreign-code': judgeForeignCode,
  operation: judgeOperation,
  'own-contract': (_effect, _scene, verdict) => {
    verdict.always('own-contract');
  },
  'self-call': (_effect, _scene, verdict) => {
    verdict.warn('One of the calls is to the account itself. It can change who owns the account, or replace its code.');
  },
  malformed: judgeMalformed,
  unread: (_effect, _scene, verdict) => {
    verdict.always('not-fully-read');
  },
  opaque: judgeOpaque,
  network: judgeNetwork,
  'sign-in': judgeSignIn,
  fee: judgePrice,
  overhead: judgeOverhead,
  paymaster: judgePaymaster,
  failure: ({ why }, _scene, verdict) => {
    verdict.danger('cannot-succeed', () => why);
  },
  note: ({ text }, _scene, verdict) => {
    verdict.warn(text);
  },
};

/** The sum of what a request does. */
type Totals = {
  /** The number of addresses that get something, and of those that the open part of the screen has. */
  readonly beneficiaries: number;
  readonly named: number;
  /** The changes that decoding and simulation know. */
  readonly changes: Changes;
};

/** Judges each effect by itself. */
function judgeEach(effects: readonly Effect[], scene: WordScene, verdict: Verdict): void {
  for (const effect of effects) (JUDGES[effect.kind] as Judge<Effect> | undefined)?.(effect, scene, verdict);
}

/** The verdict on a plain message. It moves and allows nothing, so what is found in it does not add up to more. */
export function judgeMessage(scene: WordScene): Verdict {
  const verdict = new Verdict();
  judgeEach(scene.findings.effects, scene, verdict);
  return verdict;
}

/**
 * The one place where dangers and warnings come from: what was decoded and simulated goes in, the verdict comes out.
 * Each effect is judged by itself, then what they add up to. The files beside this one name their dangers at the top.
 */
export function judge(scene: WordScene, { beneficiaries, named, changes }: Totals): Verdict {
  const { findings, view } = scene;
  const { effects } = findings;
  const verdict = new Verdict();
  if (effects.some((effect) => effect.kind === 'call' && effect.isUnread === true && effect.known === 'signed'))
    verdict.warn('Keystead does not know what this call does.');
  const { outcomes, rest } = ownOutcomes(scene);
  const said = outcomes.length > 0 ? outcomeTitle(scene) : undefined;
  for (const outcome of outcomes) judgeOutcome(outcome, outcome.sentence === said, scene, verdict);
  judgeEach(rest, scene, verdict);
  const simulated = view.outcome?.kind === 'changes' ? view.outcome.changes.allows : undefined;
  judgePermissions(effects, simulated ?? [], scene, verdict);
  if (simulated !== undefined) judgeLosses(changes, effects, scene, verdict);
  judgeUnread(changes, verdict);
  judgeLeftCoins(effects, scene, verdict);
  judgeForeignNetworks(effects, scene, verdict);
  judgeRecipients(recipientsIn(effects, scene), view.recipients ?? { used: [], own: {}, hasCode: {} }, verdict);
  if (ordersIn(scene).length > MAX_ORDERS) verdict.always('not-fully-read');
  if (beneficiaries > MANY_BENEFICIARIES)
    verdict.danger(
      'not-fully-read',
      () => `This gives something to ${beneficiaries} addresses, more than anybody compares one by one.`,
    );
  else if (named > MANY_BENEFICIARIES)
    verdict.danger('not-fully-read', () => `This names ${named} addresses, more than anybody compares one by one.`);
  return verdict;
}
