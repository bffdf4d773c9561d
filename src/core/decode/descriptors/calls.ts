import { decodeNamed } from '../abi-json';
import { type Call, type Reading, type Scene } from '../calls/rule';
import { entryOf, placeOf } from '../contract-metadata';
import { nameOf } from '../sentences';
import { quotable } from '../text';
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
  const summary = `“${quotable(descriptor.intent, MAX_INTENT)}” with ${nameOf(to, scene.view)}`;
  return described && { title: 'Call described in the ERC-7730 registry', summary, ...described };
}

/**
 * Decodes a call with the bundled ERC-7730 descriptors, found by chain, address and selector.
 *
 * @returns undefined if no descriptor matches, or if the call is a delegatecall.
 *
 * @example
 * ```ts
 * import { Findings } from '../dangers';
 * const to = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
 * const getReward = { at: 0, owner: 'Example', intent: 'Claim rewards', inputs: [], fields: [], hidden: 0 };
 * const shard = { places: [[`1:${to}`]], calls: { '3d18b912': [getReward] }, messages: {}, guesses: {} };
 * const contractMetadata = { shards: { 3: shard }, contracts: {} };
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n, contractMetadata } as const;
 * const scene = { view, chainId: 1n, findings: new Findings(), budget: { words: 100 } };
 * readDescribedCall({ to, data: '3d18b912' }, scene)?.lines[0]?.value; // => 'Claim rewards'
 * ```
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
