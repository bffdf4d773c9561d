import { type Misfit, type WorkBudget } from '../../../eth/abi';
import { isSameAddress } from '../../../eth/address';
import { describedSections, readDescribedCall } from '../../descriptors/calls';
import { shardOf } from '../../descriptors/shards';
import { type Known } from '../../effects/effect';
import { effectLines } from '../../effects/details';
import { gravest, type Headline, headlineOf } from '../../effects/title';
import { valuesByAbi } from '../../completeness/call-values';
import { type Line, type Section } from '../../explanation';
import { entryOf } from '../../metadata/contract-metadata';
import { missingMetadata, readPublishedCall } from '../../metadata/published';
import { parametersOf } from '../../metadata/signature';
import { declaredTokenAt, tokenAt } from '../../metadata/tokens';
import { type Scene } from '../../scene';
import { isPublicContract, onlyMakesCalls } from '../../words/known-contracts';
import { address, byteCount, leftOut, quote, text } from '../../words/lines';
import { knownName } from '../../words/names';
import { sentValue } from '../../words/units';
import { ADMINISTRATION_RULES } from './administration';
import { ERC20_RULES } from './erc20';
import { MULTICALL_RULES } from './multicall';
import { NFT_RULES } from './nft';
import { RECOVERY_RULES } from './recovery';
import { type ContractCall, type CallRule, type Reading } from './rule';
import { SAFE_RULES } from './safe';
import { SMART_ACCOUNT_RULES } from './smart-account';
import { WETH_RULES } from './weth';

/** The rules written for Keystead. They take precedence over descriptors and published metadata. */
export const CALL_RULES: readonly CallRule[] = [
  ...ERC20_RULES,
  ...NFT_RULES,
  ...WETH_RULES,
  ...MULTICALL_RULES,
  ...SAFE_RULES,
  ...RECOVERY_RULES,
  ...SMART_ACCOUNT_RULES,
  ...ADMINISTRATION_RULES,
];

const BY_SELECTOR: ReadonlyMap<string, CallRule> = new Map(CALL_RULES.map((rule) => [rule.selector, rule]));

/** Limits on the work that an unknown site can cause. What exceeds them is counted and flagged. */
const MAX_DEPTH = 8;
const MAX_CALLS = 100;
const MAX_WORDS = 50_000;

/** The rest of the limits while the calls of one request are decoded. */
type Walk = { readonly scene: Scene; calls: number };

/** @returns The work that one explanation may cause. */
export const freshBudget = (): WorkBudget => ({ words: MAX_WORDS });

const SELECTOR_DIGITS = 8;
const GUESS = 'a guess from the first four bytes';

/** No rule fits: a guess from the selector where there is one, and the length of the data. */
function unknownCall(call: ContractCall, scene: Scene): Reading {
  const selector = call.data.slice(0, SELECTOR_DIGITS);
  const guess = entryOf(shardOf('call', selector, scene)?.guesses ?? {}, selector);
  const inputs = guess === undefined ? undefined : parametersOf(guess);
  return {
    title: 'Unknown call',
    isUnknown: true,
    ...(inputs !== undefined && { inputs }),
    ...(guess !== undefined && {
      claims: [{ kind: 'text', label: 'Possible function', text: guess, source: GUESS }],
    }),
    lines: [
      ...(guess === undefined ? [] : [quote('Possible function', guess, GUESS)]),
      text('Not decoded', byteCount(call.data)),
      ...missingMetadata(call, scene),
    ],
  };
}

const misfit = (call: ContractCall, scene: Scene, why: Misfit): Reading => ({
  ...unknownCall(call, scene),
  effects: [why === 'mismatch' ? { kind: 'malformed', what: 'call' } : { kind: 'unread' }],
});

/** @returns Whether a rule of ours explains the call, so that descriptors have no say in it. */
const isRuled = ({ data }: ContractCall): boolean => BY_SELECTOR.has(data.slice(0, SELECTOR_DIGITS));

function readingOf(call: ContractCall, scene: Scene): Reading {
  if (call.data === '') return { title: 'Send funds' };
  const rule = BY_SELECTOR.get(call.data.slice(0, SELECTOR_DIGITS));
  if (rule === undefined)
    return readDescribedCall(call, scene) ?? readPublishedCall(call, scene) ?? unknownCall(call, scene);
  const reading = rule.read(call, scene);
  if (typeof reading === 'string') return misfit(call, scene, reading);
  const inputs = parametersOf(rule.signature);
  return inputs === undefined ? reading : { inputs, ...reading };
}

/**
 * Notes everything that a call signs: where it goes, its value, and its arguments. If nobody vouches for the contract,
 * each word counts as well, since a selector proves nothing.
 */
function sign(call: ContractCall, reading: Reading, scene: Scene): void {
  const { signed } = scene.findings;
  const { to, from, value = 0n, data, delegate } = call;
  signed.add([{ kind: 'address', label: delegate === true ? 'Code to run' : 'Contract', address: to }]);
  // What the account itself sends is the sum in `You send`.
  if (value > 0n && !(from !== undefined && isSameAddress(from, scene.view.signer)))
    signed.add([{ kind: 'amount', label: 'Value', amount: value, isNative: true }]);
  if (data === '') return;
  signed.markRead(data);
  const { inputs, isUnknown, claims = [] } = reading;
  signed.add(claims);
  const values = inputs && valuesByAbi(inputs, data.slice(SELECTOR_DIGITS), signed.budget);
  if (values !== undefined) {
    signed.add(values.values);
    signed.addBytes(values.opaque);
  }
  const isProven = values !== undefined && isUnknown !== true && isVouched(call, reading, scene);
  if (!isProven) signed.addUnproven(data, values?.read);
}

/** The coins and the data that a call sends, and the code that it runs as the account. */
function addCall(
  { to, from, value = 0n, data, delegate }: ContractCall,
  reading: Reading,
  known: Known,
  scene: Scene,
): void {
  const { findings } = scene;
  if (delegate === true) {
    const isBatch = onlyMakesCalls(to) && reading.isUnknown !== true;
    if (!isBatch) findings.add([{ kind: 'foreign-code', code: to }], known);
    return;
  }
  if (data !== '') findings.add([{ kind: 'call', from, to, ...(reading.isUnknown && { isUnread: true }) }], known);
  if (value > 0n) findings.add([{ kind: 'move', from, to, asset: { kind: 'native' }, amount: value }], known);
}

/**
 * @returns Whether a contract makes the calls that its calldata names: the account itself, another one of the person's
 * own, or a contract that many people use. Any other contract may do something else.
 */
const isVouchedFor = ({ to, from }: ContractCall, scene: Scene): boolean =>
  isSameAddress(to, scene.view.signer) ||
  (from !== undefined && isSameAddress(to, from)) ||
  scene.view.vouchedFor?.some((one) => isSameAddress(one, to)) === true ||
  (knownName(to, scene.view) !== undefined && !isPublicContract(to)) ||
  tokenAt(to, scene) !== undefined;

/**
 * @returns Whether a contract that says that it is a token was asked to do what tokens do, and a preview shows that the
 * account loses nothing else by it.
 */
function keepsItsWord({ to }: ContractCall, { effects = [] }: Reading, scene: Scene): boolean {
  const { outcome, node } = scene.view;
  const isOfToken = effects.some(({ kind }) => kind === 'move' || kind === 'allow');
  if (
    !isOfToken ||
    node?.addedBy !== undefined ||
    outcome?.kind !== 'changes' ||
    declaredTokenAt(to, scene) === undefined
  )
    return false;
  const { sends, allows } = outcome.changes;
  return (
    sends.every(({ asset }) => asset.kind !== 'native' && isSameAddress(asset.token, to)) &&
    allows.every(({ token }) => isSameAddress(token, to))
  );
}

/** @returns Whether a selector means what a rule says: the contract is known, described, or keeps its word. */
const isVouched = (call: ContractCall, reading: Reading, scene: Scene): boolean =>
  reading.isDescribed === true || isVouchedFor(call, scene) || keepsItsWord(call, reading, scene);

/** A call with the calls that it makes, and what it does in one sentence. */
type Walked = {
  readonly section: Section;
  readonly headline: Headline;
  /** A rule of ours says what the call does. */
  readonly isExplained: boolean;
  /** Somebody vouches for the contract. */
  readonly isVouched: boolean;
};

/** Reads a call, without the calls that it makes. */
function readOne(call: ContractCall, known: Known, scene: Scene): Reading {
  const reading = readingOf(call, scene);
  addCall(call, reading, known, scene);
  sign(call, reading, scene);
  scene.findings.add(reading.effects ?? [], known);
  return reading;
}

/** The place of a call in the list of those that another one makes. See `FoundEffect`. */
const placeIn = (outer: string, index: number): string => `${outer}.${String(index).padStart(3, '0')}`;

function walkCall(
  call: ContractCall,
  reading: Reading,
  walk: Walk,
  depth: number,
  known: Known,
  place: string,
): Walked {
  const { scene } = walk;
  const { title, effects = [], lines = [], isListed, calls = [] } = reading;
  const own: Line[] =
    depth === 0
      ? []
      : [
          address(call.delegate === true ? 'Code to run' : 'To', call.to),
          ...(call.value === 0n && call.data !== '' ? [] : [text('Value', sentValue(call.value, scene))]),
        ];
  const isOwn = calls.length > 0 && isVouchedFor(call, scene);
  const vouched = isVouched(call, reading, scene);
  const inner = walkCalls(calls, walk, depth + 1, isOwn || call.delegate === true ? known : 'claimed', place);
  return {
    section: {
      title,
      lines: [...own, ...(isListed === true ? [] : effectLines(effects, scene)), ...lines, ...inner.notes],
      sections: isRuled(call) ? [...inner.sections, ...describedSections(call, scene)] : inner.sections,
    },
    isExplained: reading.isUnknown !== true && reading.quotedAs === undefined && vouched,
    isVouched: vouched || call.data === '',
    headline:
      isOwn && !effects.some(({ kind }) => kind === 'control')
        ? inner.headline
        : headlineOf(call, reading, vouched, scene),
  };
}

/** Several calls: a section for each, lines that count those that are not decoded, and one sentence on all of them. */
export type CallsRead = Pick<Walked, 'isExplained' | 'isVouched'> & {
  readonly sections: readonly Section[];
  readonly notes: readonly Line[];
  readonly headline: Headline;
};

/** Decodes calls up to the limits. The others are counted and flagged, since they could do anything. */
function walkCalls(calls: readonly ContractCall[], walk: Walk, depth: number, known: Known, place: string): CallsRead {
  const readable = depth <= MAX_DEPTH ? calls.slice(0, Math.max(0, walk.calls)) : [];
  walk.calls -= readable.length;
  const left = calls.length - readable.length;
  if (left > 0) walk.scene.findings.add([{ kind: 'unread' }], known);
  // All calls come before those inside any of them, so that what is inside one never keeps another from being read.
  const { findings } = walk.scene;
  const read = readable.map((call, index) => {
    findings.place = placeIn(place, index);
    return [call, readOne(call, known, walk.scene)] as const;
  });
  const walked = read.map(([call, reading], index) =>
    walkCall(call, reading, walk, depth, known, placeIn(place, index)),
  );
  return {
    sections: walked.map(({ section }) => section),
    notes: leftOut(left, 'call', 'Not decoded'),
    // A simulation tells what one call does, but not which of several does it.
    isExplained: calls.length !== 1 || walked[0]?.isExplained !== false,
    isVouched: walked.every((one) => one.isVouched),
    headline: gravest(
      walked.map(({ headline }) => headline),
      left,
      'call',
    ),
  };
}

/**
 * Decodes one call and, recursively, the calls it makes: by our own rules first, then by bundled descriptors, then by
 * the metadata that the contract's developer published. Failing those, it gives a guess and the length of the data.
 *
 * @returns A section without target and value, which its caller shows already, and one sentence on the call.
 */
export const readCall = (call: ContractCall, scene: Scene): Walked =>
  walkCall(call, readOne(call, 'signed', scene), { scene, calls: MAX_CALLS }, 0, 'signed', '');

/** Decodes several calls, each with its own target and value. */
export const readCalls = (calls: readonly ContractCall[], scene: Scene): CallsRead =>
  walkCalls(calls, { scene, calls: MAX_CALLS }, 1, 'signed', '');
