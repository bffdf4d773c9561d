import { decodeNamed } from '../metadata/abi-json';
import { type Call, type Reading } from '../rules/calls/rule';
import { type Scene } from '../scene';
import { entryOf, placeOf } from '../metadata/contract-metadata';
import { nameOf } from '../words/names';
import { quotable } from '../words/text';
import { describe } from './describe';
import { type CallDescriptor } from './descriptor';
import { shardOf } from './shards';

const SELECTOR_DIGITS = 8;
/** The longest intent in a title, in characters. */
const MAX_INTENT = 60;

function read(descriptor: CallDescriptor, call: Call, scene: Scene): Reading | undefined {
  const data = decodeNamed(descriptor.inputs, call.data.slice(SELECTOR_DIGITS), scene.budget);
  if (data === undefined) return undefined;
  const { to, value, from } = call;
  const roots = {
    data,
    container: { to, ...(value !== undefined && { value }), ...(from !== undefined && { from }) },
  };
  const described = describe(descriptor, { roots, to, scene }, from !== undefined);
  const quotedAs = `“${quotable(descriptor.intent, MAX_INTENT)}” with ${nameOf(to, scene.view)}`;
  return described && { title: 'Call described in the ERC-7730 registry', quotedAs, ...described };
}

/**
 * Decodes a call with the bundled ERC-7730 descriptors, found by chain, address and selector.
 *
 * @returns undefined if no descriptor matches, or if the call is a delegatecall.
 */
export function readDescribedCall(call: Call, scene: Scene): Reading | undefined {
  const selector = call.data.slice(0, SELECTOR_DIGITS);
  const shard = shardOf('call', selector, scene);
  if (shard === undefined || scene.chainId === undefined || call.delegate === true) return undefined;
  const place = placeOf(scene.chainId, call.to);
  for (const descriptor of entryOf(shard.calls, selector) ?? []) {
    const reading = shard.places[descriptor.at]?.includes(place) === true ? read(descriptor, call, scene) : undefined;
    if (reading !== undefined) return reading;
  }
  return undefined;
}
