import { decodeNamed } from '../abi-json';
import { type Call, type Reading, type Scene } from '../calls/rule';
import { entryOf, placeOf } from '../contract-metadata';
import { nameOf } from '../sentences';
import { type Section } from '../types';
import { nativeAmount } from '../units';
import { describe, type Described } from './describe';
import { type CallDescriptor } from './descriptor';
import { type Fact, judgeFacts } from './facts';
import { shardOf } from './shards';

const SELECTOR_DIGITS = 8;

const TITLE = 'Call described in the ERC-7730 registry';

/** A reading whose values are also given by their meaning, for whoever judges the request. */
export type DescribedReading<Read = Reading> = Read & { readonly facts: readonly Fact[] };

type Found = Described & { readonly descriptor: CallDescriptor };

function describedBy(descriptor: CallDescriptor, call: Call, scene: Scene): Found | undefined {
  const data = decodeNamed(descriptor.inputs, call.data.slice(SELECTOR_DIGITS), scene.budget);
  if (data === undefined) return undefined;
  const { to, value, from } = call;
  const { chainId = 0n } = scene;
  const container = { to, chainId, ...(value !== undefined && { value }), ...(from !== undefined && { from }) };
  const described = describe(descriptor, { roots: { data, container }, to, scene }, from !== undefined);
  return described && { ...described, descriptor };
}

/** @param of - `call` if the description decides what is a danger, otherwise `message`. */
function find(call: Call, scene: Scene, of: 'call' | 'message'): Found | undefined {
  if (scene.chainId === undefined || call.delegate === true) return undefined;
  const selector = call.data.slice(0, SELECTOR_DIGITS);
  const shard = shardOf(of, selector, scene);
  const place = placeOf(scene.chainId, call.to);
  for (const descriptor of entryOf(shard?.calls ?? {}, selector) ?? []) {
    const found = shard?.places[descriptor.at]?.includes(place) === true && describedBy(descriptor, call, scene);
    if (found) return found;
  }
  return undefined;
}

/**
 * Decodes a call with the bundled ERC-7730 descriptors, found by chain, address and selector.
 *
 * @returns undefined if no descriptor matches, or if the call is a delegatecall.
 */
export function readDescribedCall(call: Call, scene: Scene): DescribedReading | undefined {
  const found = find(call, scene, 'call');
  if (found === undefined) return undefined;
  const { intent, lines, calls, facts, descriptor } = found;
  const { to, from, value = 0n } = call;
  const sent = value > 0n ? ` and send it ${nativeAmount(value, scene)}` : '';
  return {
    title: TITLE,
    summary: `${intent} with ${nameOf(to, scene.view)}${sent}`,
    lines: [...lines, ...judgeFacts(facts, descriptor.allows === true, from, scene)],
    calls,
    facts,
  };
}

/** A section with what the registry says of a call that a rule of ours has explained. It decides nothing. */
export function describedSections(call: Call, scene: Scene): Section[] {
  const found = find(call, scene, 'message');
  return found === undefined ? [] : [{ title: TITLE, lines: found.lines, sections: [] }];
}
