import { decodeNamed } from '../metadata/abi-json';
import { type ContractCall, type Reading } from '../rules/calls/rule';
import { type Scene } from '../scene';
import { entryOf, contractKey } from '../metadata/contract-metadata';
import { nameOf } from '../words/names';
import { type Section } from '../explanation';
import { describe, type Described } from './describe';
import { type CallDescriptor } from './descriptor';
import { effectsOf, type Fact } from './facts';
import { shardOf } from './shards';

const SELECTOR_DIGITS = 8;

const TITLE = 'Call described in the ERC-7730 registry';

/** A reading whose values are also given by their meaning, for whoever judges the request. */
export type DescribedReading<Read = Reading> = Read & { readonly facts: readonly Fact[] };

type Found = Described & { readonly descriptor: CallDescriptor };

function describedBy(descriptor: CallDescriptor, call: ContractCall, scene: Scene): Found | undefined {
  const data = decodeNamed(descriptor.inputs, call.data.slice(SELECTOR_DIGITS), scene.budget);
  if (data === undefined) return undefined;
  const { to, value, from } = call;
  const { chainId = 0n } = scene;
  const container = { to, chainId, ...(value !== undefined && { value }), ...(from !== undefined && { from }) };
  const described = describe(descriptor, { roots: { data, container }, to, scene }, from !== undefined);
  return described && { ...described, descriptor };
}

/** @param of - `call` if the description decides what is a danger; `beside` if a rule of ours does. */
function find(call: ContractCall, scene: Scene, of: 'call' | 'beside'): Found | undefined {
  if (scene.chainId === undefined || call.delegate === true) return undefined;
  const selector = call.data.slice(0, SELECTOR_DIGITS);
  const shard = shardOf(of, selector, scene);
  const key = contractKey(scene.chainId, call.to);
  for (const descriptor of entryOf(shard?.calls ?? {}, selector) ?? []) {
    const found = shard?.contracts[descriptor.at]?.includes(key) === true && describedBy(descriptor, call, scene);
    if (found) return found;
  }
  return undefined;
}

/**
 * Decodes a call with the bundled ERC-7730 descriptors, found by chain, address and selector.
 *
 * @returns undefined if no descriptor matches, or if the call is a delegatecall.
 */
export function readDescribedCall(call: ContractCall, scene: Scene): DescribedReading | undefined {
  const found = find(call, scene, 'call');
  if (found === undefined) return undefined;
  const { intent, lines, calls, facts, descriptor } = found;
  const { to, from } = call;
  return {
    title: TITLE,
    quotedAs: `${intent} with ${nameOf(to, scene.view)}`,
    effects: effectsOf(facts, descriptor.allows === true, from, scene),
    isListed: true,
    lines,
    calls,
    facts,
    inputs: descriptor.inputs,
    isDescribed: true,
  };
}

/** A section with what the registry says of a call that a rule of ours has explained. It decides nothing. */
export function describedSections(call: ContractCall, scene: Scene): Section[] {
  const found = find(call, scene, 'beside');
  return found === undefined ? [] : [{ title: TITLE, lines: found.lines, sections: [] }];
}
