import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { type Hex, toHex } from '../../eth/bytes';
import { encodeType, type TypedData, type TypedDataTypes } from '../../eth/typed-data';
import { entryOf, placeOf } from '../metadata/contract-metadata';
import { type TypedReading, type TypedScene } from '../rules/messages/rule';
import { describe } from './describe';
import { type MessageDescriptor } from './descriptor';
import { shardOf } from './shards';
import { isHex, Text, type Value } from './value';

/** A value of a message that was hashed before, and so matches its type. */
function valueOf(types: TypedDataTypes, type: string, value: unknown): Value {
  const bracket = type.lastIndexOf('[');
  if (bracket !== -1) return (value as readonly unknown[]).map((item) => valueOf(types, type.slice(0, bracket), item));
  const members = entryOf(types, type);
  if (members !== undefined) {
    const struct = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(members.map((member) => [member.name, valueOf(types, member.type, struct[member.name])]));
  }
  if (type === 'bool') return value === true;
  if (type === 'string') return new Text(String(value));
  if (type === 'address' || type.startsWith('bytes')) return String(value).toLowerCase() as Hex;
  return BigInt(value as string | number);
}

const fitsDomain = ({ domain: wanted = {} }: MessageDescriptor, domain: TypedData['domain']): boolean =>
  Object.entries(wanted).every(([name, value]) => Object.hasOwn(domain, name) && String(domain[name]) === value);

/** The first digits of a type's hash, which are the key of its descriptors. */
const typeDigits = (types: TypedDataTypes, primaryType: string): string =>
  toHex(keccak256(new TextEncoder().encode(encodeType(types, primaryType)))).slice(2, 10);

/**
 * Decodes a message with the bundled ERC-7730 descriptors, found by chain, verifying contract and type.
 *
 * @returns undefined if no descriptor matches.
 */
export function readDescribedMessage(data: TypedData, scene: TypedScene): TypedReading | undefined {
  const { contract, chainId, view } = scene;
  if (contract === undefined || chainId === undefined || !isHex(contract)) return undefined;
  const { types, primaryType, domain, message } = data;
  const digits = typeDigits(types, primaryType);
  const shard = shardOf('message', digits, scene);
  const place = placeOf(chainId, contract);
  const descriptor = entryOf(shard?.messages ?? {}, digits)?.find(
    (candidate) => shard?.places[candidate.at]?.includes(place) === true && fitsDomain(candidate, domain),
  );
  if (descriptor === undefined) return undefined;
  const roots = {
    data: valueOf(types, primaryType, message),
    container: { to: contract, from: view.signer },
  };
  const described = describe(descriptor, { roots, to: contract, scene }, true);
  return described && { title: 'Message described in the ERC-7730 registry', ...described };
}
