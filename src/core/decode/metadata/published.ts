import { decodeNamed } from './abi-json';
import { type ContractCall, type Reading } from '../rules/calls/rule';
import { rawLine } from '../descriptors/format';
import { isList, Text, type Value } from '../descriptors/value';
import { quoted } from '../descriptors/words';
import { type ContractFacts, entryOf, contractKey } from './contract-metadata';
import { leftOut, quote, text } from '../words/lines';
import { type Scene } from '../scene';
import { nameOf } from '../words/names';
import { quotable, visible } from '../words/text';
import { type Line } from '../explanation';

const SOURCE = "the contract's developer";
const SELECTOR_DIGITS = 8;
const MAX_LINES = 40;
/** The longest function name in a title, in characters. */
const MAX_NAME = 60;

/** The arguments under the names that the developer gave them, including those in lists and structs. */
function* argumentLines(label: string, value: Value): Generator<Line> {
  if (typeof value !== 'object' || value instanceof Text) {
    yield rawLine(quoted(label), value);
  } else if (isList(value)) {
    if (value.length === 0) yield text(quoted(label), '(empty list)');
    for (const [index, item] of value.entries()) yield* argumentLines(`${label}[${index}]`, item);
  } else {
    for (const [name, member] of Object.entries(value))
      yield* argumentLines(label === '' ? name : `${label}.${name}`, member);
  }
}

/** The contract's metadata. If it was not looked up yet, asks for it, but only after the descriptors were looked up. */
function factsOf({ to, data, delegate }: ContractCall, { chainId, view, findings }: Scene): ContractFacts | undefined {
  if (chainId === undefined || delegate === true) return undefined;
  const facts = entryOf(view.contractMetadata?.contracts ?? {}, contractKey(chainId, to));
  const haveDescriptors = entryOf(view.contractMetadata?.shards ?? {}, data.slice(0, 1)) !== undefined;
  if (facts === undefined && haveDescriptors)
    findings.lookUp({ kind: 'contract', chainId: String(chainId), address: to });
  return facts;
}

/**
 * Decodes a call with the ABI and NatSpec of the contract's verified metadata. All names in it are the developer's.
 *
 * @returns undefined if they are unknown or do not fit the call.
 */
export function readPublishedCall(call: ContractCall, scene: Scene): Reading | undefined {
  const facts = factsOf(call, scene);
  if (facts === undefined || !('functions' in facts)) return undefined;
  const called = entryOf(facts.functions, call.data.slice(0, SELECTOR_DIGITS));
  const values = called && decodeNamed(called.inputs, call.data.slice(SELECTOR_DIGITS), scene.budget);
  if (called === undefined || values === undefined) return undefined;
  const lines = [...argumentLines('', values)];
  return {
    title: "Call described by the contract's developer",
    inputs: called.inputs,
    claims: [{ kind: 'text', label: 'Function', text: called.name, source: SOURCE }],
    quotedAs: `Call “${quotable(called.name, MAX_NAME)}” of ${nameOf(call.to, scene.view)}`,
    lines: [
      ...(facts.name === undefined ? [] : [quote('Contract', facts.name, SOURCE)]),
      quote('Function', called.name, SOURCE),
      ...(called.notice === undefined ? [] : [quote('Description', called.notice, SOURCE)]),
      ...lines.slice(0, MAX_LINES),
      ...leftOut(lines.length - MAX_LINES, 'value'),
    ],
  };
}

/** The reason why the contract's metadata is missing, if looking it up failed. */
export function missingMetadata(call: ContractCall, scene: Scene): Line[] {
  const facts = factsOf(call, scene);
  const failure = facts !== undefined && 'failure' in facts ? facts.failure : undefined;
  return failure === undefined ? [] : [text('Contract metadata', `not available: ${visible(failure)}`)];
}
