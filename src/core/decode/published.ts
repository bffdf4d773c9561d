import { decodeNamed } from './abi-json';
import { type Call, type Reading, type Scene } from './calls/rule';
import { rawLine } from './descriptors/format';
import { isList, Text, type Value } from './descriptors/value';
import { theirs } from './descriptors/words';
import { type ContractFacts, entryOf, placeOf } from './knowledge';
import { leftOut, quote, text } from './lines';
import { visible } from './text';
import { type Line } from './types';

const SOURCE = "the contract's maker";
const SELECTOR_DIGITS = 8;
const MAX_LINES = 40;

/** The arguments under the names that the maker gave them, also inside lists and structs. */
function* argumentLines(label: string, value: Value): Generator<Line> {
  if (typeof value !== 'object' || value instanceof Text) {
    yield rawLine(theirs(label), value);
  } else if (isList(value)) {
    if (value.length === 0) yield text(theirs(label), '(empty list)');
    for (const [index, item] of value.entries()) yield* argumentLines(`${label}[${index}]`, item);
  } else {
    for (const [name, member] of Object.entries(value))
      yield* argumentLines(label === '' ? name : `${label}.${name}`, member);
  }
}

/** What was looked up about the contract; undefined, and wanted, if nothing was yet. Descriptors come first. */
function factsOf({ to, data, delegate }: Call, { chainId, view, findings }: Scene): ContractFacts | undefined {
  if (chainId === undefined || delegate === true) return undefined;
  const facts = entryOf(view.knowledge?.contracts ?? {}, placeOf(chainId, to));
  const isNext = entryOf(view.knowledge?.shards ?? {}, data.slice(0, 1)) !== undefined;
  if (facts === undefined && isNext) findings.want({ kind: 'contract', chainId: String(chainId), address: to });
  return facts;
}

/**
 * Reads a call by the ABI and the NatSpec of the contract's verified metadata: all in the words of its maker.
 *
 * @returns undefined if they are not known, or do not fit.
 */
export function readPublishedCall(call: Call, scene: Scene): Reading | undefined {
  const facts = factsOf(call, scene);
  if (facts === undefined || !('functions' in facts)) return undefined;
  const called = entryOf(facts.functions, call.data.slice(0, SELECTOR_DIGITS));
  const values = called && decodeNamed(called.inputs, call.data.slice(SELECTOR_DIGITS), scene.budget);
  if (called === undefined || values === undefined) return undefined;
  const lines = [...argumentLines('', values)];
  return {
    title: "A call in the words of the contract's maker",
    lines: [
      ...(facts.name === undefined ? [] : [quote('Contract', facts.name, SOURCE)]),
      quote('Function', called.name, SOURCE),
      ...(called.notice === undefined ? [] : [quote('Says', called.notice, SOURCE)]),
      ...lines.slice(0, MAX_LINES),
      ...leftOut(lines.length - MAX_LINES, 'value'),
    ],
  };
}

/** Why the words of the contract's maker are missing, where they could have been looked up. */
export function missingWords(call: Call, scene: Scene): Line[] {
  const facts = factsOf(call, scene);
  const failure = facts !== undefined && 'failure' in facts ? facts.failure : undefined;
  return failure === undefined ? [] : [text('Not looked up', `what its maker published: ${visible(failure)}`)];
}
