import { type Misfit, type WorkBudget } from '../../eth/abi';
import { readDescribedCall } from '../descriptors/calls';
import { shardOf } from '../descriptors/shards';
import { entryOf } from '../knowledge';
import { address, byteCount, leftOut, quote, sentValue, text } from '../lines';
import { missingWords, readPublishedCall } from '../published';
import { type Line, type Section } from '../types';
import { ADMINISTRATION_RULES } from './administration';
import { ERC20_RULES } from './erc20';
import { MULTICALL_RULES } from './multicall';
import { NFT_RULES } from './nft';
import { type Call, type CallRule, type Reading, type Scene } from './rule';
import { SAFE_RULES } from './safe';
import { SMART_ACCOUNT_RULES } from './smart-account';
import { WETH_RULES } from './weth';

export type { Call, Scene };

/** Every rule of our own. */
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

/** Limits on what an unknown dapp can make us work. What lies beyond is counted, and flagged. */
const MAX_DEPTH = 8;
const MAX_CALLS = 100;
const MAX_WORDS = 50_000;

/** What is left of the limits while the calls of one request are read. */
type Walk = { readonly scene: Scene; calls: number };

/** @returns The work that may be done for one explanation. */
export const freshBudget = (): WorkBudget => ({ words: MAX_WORDS });

const SELECTOR_DIGITS = 8;

/** Nobody's rule fits: a guess from the selector where there is one, and how much is not understood. */
function notUnderstood(call: Call, scene: Scene): Reading {
  const selector = call.data.slice(0, SELECTOR_DIGITS);
  const guess = entryOf(shardOf('call', selector, scene)?.guesses ?? {}, selector);
  return {
    title: 'A call that is not understood',
    lines: [
      ...(guess === undefined ? [] : [quote('May be', guess, 'a guess from the first four bytes')]),
      text('Not understood', byteCount(call.data)),
      ...missingWords(call, scene),
    ],
  };
}

function misfit(call: Call, scene: Scene, why: Misfit): Reading {
  scene.findings.danger(why === 'mismatch' ? 'malformed-call' : 'not-fully-read');
  return notUnderstood(call, scene);
}

function readingOf(call: Call, scene: Scene): Reading {
  if (call.data === '') return { title: 'Send value', lines: [] };
  const rule = BY_SELECTOR.get(call.data.slice(0, SELECTOR_DIGITS));
  if (rule === undefined)
    return readDescribedCall(call, scene) ?? readPublishedCall(call, scene) ?? notUnderstood(call, scene);
  const reading = rule.read(call, scene);
  return typeof reading === 'string' ? misfit(call, scene, reading) : reading;
}

function walkCall(call: Call, walk: Walk, depth: number): Section {
  const { scene } = walk;
  if (call.delegate === true) scene.findings.danger('delegatecall');
  const { title, lines, calls = [] } = readingOf(call, scene);
  const own: Line[] =
    depth === 0
      ? []
      : [
          address(call.delegate === true ? 'Runs the code of' : 'To', call.to),
          ...(call.value === 0n && call.data !== '' ? [] : [text('Value', sentValue(call.value))]),
        ];
  const inner = walkCalls(calls, walk, depth + 1);
  return { title, lines: [...own, ...lines, ...inner.notes], sections: inner.sections };
}

/** As many of the calls as may still be read. Those left out are counted, and flagged: they may do anything. */
function walkCalls(
  calls: readonly Call[],
  walk: Walk,
  depth: number,
): { readonly sections: readonly Section[]; readonly notes: readonly Line[] } {
  const readable = depth <= MAX_DEPTH ? calls.slice(0, Math.max(0, walk.calls)) : [];
  walk.calls -= readable.length;
  const left = calls.length - readable.length;
  if (left > 0) walk.scene.findings.danger('not-fully-read');
  return {
    sections: readable.map((call) => walkCall(call, walk, depth)),
    notes: leftOut(left, 'call', 'Not looked into'),
  };
}

/**
 * Reads one call and, recursively, the calls it makes: own rules first, then bundled descriptors, then what the
 * contract's maker published, then a guess, then the length.
 *
 * @returns A section. What its caller already says of the call, where it goes and what it carries, is left
 * out of the outermost one.
 */
export const readCall = (call: Call, scene: Scene): Section => walkCall(call, { scene, calls: MAX_CALLS }, 0);

/**
 * The same for calls that something else makes, each with its own target and value.
 *
 * @returns A section for each call that is read, and lines that say what is not.
 */
export const readCalls = (calls: readonly Call[], scene: Scene) => walkCalls(calls, { scene, calls: MAX_CALLS }, 1);
