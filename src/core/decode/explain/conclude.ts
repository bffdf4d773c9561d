import { type Hex } from '../../eth/bytes';
import { assetText, changeLines } from '../effects/rows';
import { knownChanges, type Met } from '../effects/effect';
import { isSameAddress } from '../../eth/address';
import { leftOut, text } from '../words/lines';
import { type Allowance, type Outcome, type Simulation } from '../effects/outcome';
import { firstTimeNotice, judgeRecipients, type Recipient, type RecipientFacts } from '../effects/recipients';
import { namedAddress, Shares } from '../effects/shares';
import { type TokenScene } from '../metadata/tokens';
import { type Explanation, type Line, type OpenQuestions, type Viewpoint } from '../explanation';
import { networkIn } from '../words/units';

/** A screen shows no more addresses at once. All of them are in the details. */
const MAX_ADDRESSES = 5;

const PREVIEW = 'Preview';

function addressLines(label: string, addresses: readonly Hex[], view: Viewpoint): Line[] {
  const different = [...new Map(addresses.map((at) => [at.toLowerCase(), at])).values()];
  return [
    ...different.slice(0, MAX_ADDRESSES).map((at) => namedAddress(label, at, view)),
    ...leftOut(different.length - MAX_ADDRESSES, 'address', label, 'addresses'),
  ];
}

function newRecipients(strangers: readonly Hex[]): Line[] {
  const more = strangers.length - MAX_ADDRESSES;
  if (strangers.length === 0) return [];
  const notice = firstTimeNotice(strangers.slice(0, MAX_ADDRESSES), Math.max(more, 0));
  return [text(strangers.length === 1 ? 'New recipient' : 'New recipients', notice)];
}

/** What the simulation says besides the changes: the limits of what it can know. */
function previewLines(outcome: Outcome | undefined): Line[] {
  switch (outcome?.kind) {
    case 'changes':
      return [
        text(PREVIEW, 'Simulated with the present state of the network. It may differ by the time this is included.'),
      ];
    case 'succeeds':
      return [text(PREVIEW, 'It would succeed now, but this node cannot say what changes.')];
    case 'unknown':
      return [text(PREVIEW, `Changes could not be simulated: ${outcome.why}.`)];
    default:
      return [];
  }
}

const NOTHING_KNOWN: RecipientFacts = { used: [], own: {}, hasCode: {} };

const recipientOf = ({ address: at, sent }: Met, scene: TokenScene): Recipient => ({
  address: at,
  carriesData: sent === undefined,
  ...(sent !== undefined && {
    asset: assetText(sent, scene),
    isToken: 'token' in sent.asset && isSameAddress(sent.asset.token, at),
  }),
});

/** Flags recipients that look wrong. @returns Those who are sent something for the first time. */
function judge(scene: TokenScene): readonly Hex[] {
  const { findings, view } = scene;
  const { met } = findings.effects;
  const firstTime = judgeRecipients(
    met.map((one) => recipientOf(one, scene)),
    view.recipients ?? NOTHING_KNOWN,
    findings,
  );
  if (view.recipients === undefined) return [];
  return firstTime.filter((at) => met.some(({ address: who, sent }) => sent !== undefined && isSameAddress(who, at)));
}

/** What is known about a request besides what its parts say. */
type Whole = {
  readonly simulation?: Simulation | undefined;
  /** Why the account cannot pay for it, if it cannot. */
  readonly shortage?: string | undefined;
  readonly again: OpenQuestions['again'];
};

/**
 * What a request does as a whole: the changes that were decoded and simulated, who gets what, and why it cannot succeed.
 * It comes last, after all parts were decoded.
 */
export function conclude(
  scene: TokenScene,
  { simulation, shortage, again }: Whole,
): Pick<Explanation, 'changes' | 'main' | 'network' | 'warnings' | 'dangers' | 'failure' | 'open'> {
  const { chainId, findings, view } = scene;
  const { effects } = findings;
  const { outcome } = view;
  if (!effects.isComplete) findings.danger('not-fully-read');
  const changes = knownChanges(scene);
  const reverts = outcome?.kind === 'reverts' ? `This fails in a simulation: ${outcome.reason}` : undefined;
  const failure = shortage ?? reverts;
  if (failure !== undefined) findings.danger('cannot-succeed', () => failure);
  const shares = new Shares(changes, scene);
  const lines = changeLines(changes, scene, (sent) => shares.isSum(sent));
  const strangers = judge(scene);
  const main = [
    ...shares.lines(),
    ...addressLines(
      'Spender',
      changes.allows.map(({ spender }: Allowance) => spender),
      view,
    ),
    ...newRecipients(strangers),
    ...previewLines(outcome),
  ];
  return {
    changes: lines,
    main,
    ...(chainId !== undefined && { network: networkIn({ view }, chainId).name }),
    warnings: findings.warnings,
    dangers: findings.dangers,
    ...(failure !== undefined && { failure }),
    ...findings.openQuestions(view, simulation, again),
  };
}
