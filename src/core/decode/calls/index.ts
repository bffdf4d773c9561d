import { type Misfit, type WorkBudget } from '../../eth/abi';
import { describedSections, readDescribedCall } from '../descriptors/calls';
import { shardOf } from '../descriptors/shards';
import { entryOf } from '../contract-metadata';
import { address, byteCount, leftOut, quote, sentValue, text } from '../lines';
import { missingMetadata, readPublishedCall } from '../published';
import { burned, isBurnAddress } from '../recipients';
import { nameOf, shortAddress, withMore } from '../sentences';
import { type Line, type Section } from '../types';
import { nativeAmount } from '../units';
import { ADMINISTRATION_RULES } from './administration';
import { ERC20_RULES } from './erc20';
import { MULTICALL_RULES } from './multicall';
import { NFT_RULES } from './nft';
import { type Call, type CallRule, type Reading, type Scene } from './rule';
import { SAFE_RULES } from './safe';
import { SMART_ACCOUNT_RULES } from './smart-account';
import { WETH_RULES } from './weth';

export type { Call, Scene };

/** The rules written for Keystead. They take precedence over descriptors and published metadata. */
export const CALL_RULES: readonly CallRule[] = [
  ...ERC20_RULES,
  ...NFT_RULES,
  ...WETH_RULES,
  ...MULTICALL_RULES,
  ...SAFE_RULES,
  ...SMART_ACCOUNT_RULES,
  ...ADMINISTRATION_RULES,
];

const BY_SELECTOR: ReadonlyMap<string, CallRule> = new Map(CALL_RULES.map((rule) => [rule.selector, rule]));

/** Limits on the work that an unknown site can cause. What exceeds them is counted and flagged. */
const MAX_DEPTH = 8;
const MAX_CALLS = 100;
const MAX_WORDS = 50_000;

/** What remains of the limits while the calls of one request are decoded. */
type Walk = { readonly scene: Scene; calls: number };

/** @returns The work that one explanation may cause. */
export const freshBudget = (): WorkBudget => ({ words: MAX_WORDS });

const SELECTOR_DIGITS = 8;

const UNKNOWN_CALL = 'Unknown call';

/** No rule fits: a guess from the selector where there is one, and the length of the data. */
function unknownCall(call: Call, scene: Scene): Reading {
  const selector = call.data.slice(0, SELECTOR_DIGITS);
  const guess = entryOf(shardOf('call', selector, scene)?.guesses ?? {}, selector);
  return {
    title: UNKNOWN_CALL,
    lines: [
      ...(guess === undefined ? [] : [quote('Possible function', guess, 'a guess from the first four bytes')]),
      text('Not decoded', byteCount(call.data)),
      ...missingMetadata(call, scene),
    ],
  };
}

function misfit(call: Call, scene: Scene, why: Misfit): Reading {
  scene.findings.danger(why === 'mismatch' ? 'malformed-call' : 'not-fully-read');
  return unknownCall(call, scene);
}

/** Whether a rule of ours explains the call, so that descriptors have no say in it. */
const isRuled = ({ data }: Call): boolean => BY_SELECTOR.has(data.slice(0, SELECTOR_DIGITS));

function readingOf(call: Call, scene: Scene): Reading {
  if (call.data === '') return { title: 'Send funds', lines: [] };
  const rule = BY_SELECTOR.get(call.data.slice(0, SELECTOR_DIGITS));
  if (rule === undefined)
    return readDescribedCall(call, scene) ?? readPublishedCall(call, scene) ?? unknownCall(call, scene);
  const reading = rule.read(call, scene);
  return typeof reading === 'string' ? misfit(call, scene, reading) : reading;
}

/** Collects the coins and the data that a call sends. */
function collect({ to, from, value = 0n, data, delegate }: Call, { chainId, findings, view }: Scene): void {
  if (delegate === true) return;
  if (data !== '') findings.effects.call(view.signer, { from, to });
  findings.effects.move(view.signer, { from, to }, { kind: 'native' }, value);
  // Whoever makes the call.
  if (value > 0n && isBurnAddress(to))
    findings.danger('burn-address', () => burned(nativeAmount(value, { chainId, view }), to));
}

/** One sentence on a call: that of its rule, of the calls that it makes, or one made of its title. */
function summaryOf(
  call: Call,
  { title, summary, calls = [] }: Reading,
  inner: readonly Section[],
  scene: Scene,
): string {
  const { to, value = 0n, data } = call;
  const amount = nativeAmount(value, scene);
  if (data === '') return `Send ${amount} to ${nameOf(to, scene.view)}`;
  if (summary !== undefined) return summary;
  if (calls.length > 0) return withMore(summariesOf(inner, calls.length), 'call');
  const what = title === UNKNOWN_CALL ? `Call ${nameOf(to, scene.view)}` : `${title}: ${nameOf(to, scene.view)}`;
  return value > 0n ? `${what} and send it ${amount}` : what;
}

/** The sentences of several calls; those that were not decoded count, too. */
const summariesOf = (sections: readonly Section[], count: number): string[] =>
  Array.from({ length: count }, (_, index) => sections[index]?.summary ?? 'Make a call');

function walkCall(call: Call, walk: Walk, depth: number): Section {
  const { scene } = walk;
  if (call.delegate === true)
    scene.findings.danger(
      'delegatecall',
      () =>
        `This runs the code at ${shortAddress(call.to)} as the account itself. That code can take everything the account holds.`,
    );
  collect(call, scene);
  const reading = readingOf(call, scene);
  const { title, lines, calls = [] } = reading;
  const own: Line[] =
    depth === 0
      ? []
      : [
          address(call.delegate === true ? 'Code to run' : 'To', call.to),
          ...(call.value === 0n && call.data !== '' ? [] : [text('Value', sentValue(call.value, scene))]),
        ];
  const inner = walkCalls(calls, walk, depth + 1);
  return {
    title,
    summary: summaryOf(call, reading, inner.sections, scene),
    lines: [...own, ...lines, ...inner.notes],
    sections: isRuled(call) ? [...inner.sections, ...describedSections(call, scene)] : inner.sections,
  };
}

/** Decodes calls up to the limits. The others are counted and flagged, since they could do anything. */
function walkCalls(
  calls: readonly Call[],
  walk: Walk,
  depth: number,
): { readonly sections: readonly Section[]; readonly notes: readonly Line[]; readonly summary: string } {
  const readable = depth <= MAX_DEPTH ? calls.slice(0, Math.max(0, walk.calls)) : [];
  walk.calls -= readable.length;
  const left = calls.length - readable.length;
  if (left > 0) walk.scene.findings.danger('not-fully-read');
  const sections = readable.map((call) => walkCall(call, walk, depth));
  return {
    sections,
    notes: leftOut(left, 'call', 'Not decoded'),
    summary: withMore(summariesOf(sections, calls.length), 'call'),
  };
}

/**
 * Decodes one call and, recursively, the calls it makes: by our own rules first, then by bundled descriptors, then by
 * the metadata that the contract's developer published. Failing those, it gives a guess and the length of the data.
 *
 * @returns A section. The outermost one omits target and value, which its caller shows already.
 */
export const readCall = (call: Call, scene: Scene): Section => walkCall(call, { scene, calls: MAX_CALLS }, 0);

/**
 * Decodes several calls, each with its own target and value.
 *
 * @returns A section for each decoded call, lines that count the others, and one sentence on all of them.
 */
export const readCalls = (calls: readonly Call[], scene: Scene) => walkCalls(calls, { scene, calls: MAX_CALLS }, 1);
