import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { decodedChanges, knownChanges } from '../effects/changes';
import { judge } from '../effects/judge';
import { orderRows } from '../effects/orders';
import { beforeLines, ownQuestion } from '../effects/own-changes';
import { type Outcome, type Simulation } from '../effects/outcome';
import {
  type Beneficiary,
  beneficiariesIn,
  beneficiaryLines,
  isSumOf,
  newRecipientLines,
  strangersAmong,
} from '../effects/recipients';
import { changeLines, expectedLines } from '../effects/rows';
import { unsaid } from '../completeness/unsaid';
import {
  type Explanation,
  type Line,
  type Counterparty,
  type OpenQuestions,
  type Section,
  type Viewpoint,
} from '../explanation';
import { NO_METADATA } from '../metadata/contract-metadata';
import { type WordScene } from '../scene';
import { text } from '../words/lines';
import { networkIn } from '../words/units';

const PREVIEW = 'Preview';

/** Whose word a preview is: the node's, and for now that of the site that added it. */
function previewedBy({ node }: Viewpoint): string {
  if (node === undefined) return 'Simulated.';
  const { name, addedBy } = node;
  return addedBy === undefined
    ? `Simulated by ${name}.`
    : `Simulated by ${name}, a node that ${addedBy} added: it can say what that site likes.`;
}

/** The row for what the simulation says besides the changes: who says it, and what it cannot know. */
function previewLines(outcome: Outcome | undefined, view: Viewpoint): Line[] {
  switch (outcome?.kind) {
    case 'changes':
      return [text(PREVIEW, previewedBy(view))];
    case 'succeeds':
      return [text(PREVIEW, `${previewedBy(view)} It would succeed now, but this node cannot say what changes.`)];
    case 'reverts':
      return [text(PREVIEW, previewedBy(view))];
    case 'unknown':
      return [text(PREVIEW, `Changes could not be simulated: ${outcome.why}.`)];
    default:
      return [];
  }
}

/** What a preview cannot know, for the details. */
const limitsOf = (outcome: Outcome | undefined): Line[] =>
  outcome?.kind === 'changes'
    ? [
        text(
          'Limits of the preview',
          'Simulated with the present state of the network. It may differ by the time this is included, and a contract may behave differently then.',
        ),
      ]
    : [];

/** The addresses that the request concerns. Only what the account itself sends makes a recipient a known one later. */
function counterpartiesOf(
  beneficiaries: readonly Beneficiary[],
  { findings, view: { signer } }: WordScene,
): Counterparty[] {
  const isSigner = (from: Hex | undefined): boolean => from !== undefined && isSameAddress(from, signer);
  const counterparties = new Map<string, Counterparty>();
  const addCounterparty = (address: Hex, how: Counterparty['how']): void => {
    const key = `${how}${address.toLowerCase()}`;
    if (!counterparties.has(key)) counterparties.set(key, { address, how });
  };
  for (const effect of findings.effects) {
    if (effect.kind === 'move' && effect.to !== undefined && effect.amount > 0n && !isSigner(effect.to))
      addCounterparty(effect.to, isSigner(effect.from) && effect.known === 'signed' ? 'sent' : 'named');
    else if (effect.kind === 'call' && isSigner(effect.from)) addCounterparty(effect.to, 'called');
    else if (effect.kind === 'allow' && effect.amount > 0n && isSigner(effect.owner))
      addCounterparty(effect.spender, 'allowed');
    else if (effect.kind === 'named') addCounterparty(effect.address, 'named');
  }
  for (const { address } of beneficiaries) addCounterparty(address, 'named');
  return [...counterparties.values()];
}

/** The facts about a request that its parts do not contain. */
type RequestFacts = {
  readonly simulation?: Simulation | undefined;
  /** The reason why the account cannot pay for it, if it cannot. */
  readonly shortage?: string | undefined;
  /** Rows that are shown at once, after what changes. */
  readonly main?: readonly Line[];
  /** The closed sections of the screen. */
  readonly sections: readonly Section[];
  readonly explainWith: OpenQuestions['explainWith'];
};

/** The part of an explanation that follows from its effects. `expected` are rows for the details. */
type Conclusion = Pick<
  Explanation,
  'changes' | 'main' | 'network' | 'warnings' | 'dangers' | 'failure' | 'unresolved'
> & {
  readonly expected: readonly Line[];
};

/**
 * Sums up a request: what changes, who gets what, the dangers, and why it cannot succeed. It comes last, after all
 * parts were decoded.
 */
export function conclude(
  scene: WordScene,
  { simulation, shortage, main = [], sections, explainWith }: RequestFacts,
): Conclusion {
  const { chainId, findings, view } = scene;
  const { outcome, recipients, contractMetadata: known = NO_METADATA } = view;
  const reverts = outcome?.kind === 'reverts' ? `This fails in a simulation: ${outcome.reason}.` : undefined;
  const failure = shortage ?? reverts;
  if (failure !== undefined) findings.add([{ kind: 'failure', why: failure }]);
  const decoded = decodedChanges(scene);
  const changes = knownChanges(scene, decoded);
  const expected = outcome?.kind === 'changes' ? [] : expectedLines(decoded.receives, scene);
  const all = beneficiariesIn(scene);
  const lines = [...orderRows(scene), ...changeLines(changes, scene, isSumOf(all, scene))];
  const recipientsOfAssets = all
    .filter(({ role }) => role === 'To' || role === 'Claimed recipient')
    .map(({ address }) => address);
  const strangers = recipients === undefined ? [] : strangersAmong(recipientsOfAssets, recipients, view.names);
  const said = [
    ...main,
    ...beneficiaryLines(all, changes.sends, scene),
    ...newRecipientLines(strangers),
    ...beforeLines(scene),
  ];
  const rest = unsaid(scene, [...lines, ...said], sections);
  findings.add(rest.addresses.map((address) => ({ kind: 'named', address, isRecipient: false })));
  if (rest.isCut) findings.add([{ kind: 'unread' }]);
  for (const warning of rest.warnings) findings.note(warning);
  const shown = [...said, ...rest.lines, ...previewLines(outcome, view)];
  const named = shown.filter(({ kind }) => kind === 'address').length;
  const { dangers, warnings } = judge(scene, { beneficiaries: all.length, named, changes });
  const { lookups } = findings;
  const counterparties = counterpartiesOf(all, scene);
  const own = ownQuestion(scene);
  const isOpen = lookups.length > 0 || simulation !== undefined || counterparties.length > 0;
  return {
    changes: lines,
    main: shown,
    expected: [...expected, ...limitsOf(outcome)],
    ...(chainId !== undefined && { network: networkIn({ view }, chainId).name }),
    warnings,
    dangers,
    ...(failure !== undefined && { failure }),
    ...(isOpen && {
      unresolved: {
        lookups,
        known,
        ...(simulation && { simulation }),
        ...(own && { own }),
        counterparties,
        explainWith,
      },
    }),
  };
}
