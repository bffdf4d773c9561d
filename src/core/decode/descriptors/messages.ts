import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { type Hex, toHex } from '../../eth/bytes';
import { encodeType, type TypedData, type TypedDataTypes } from '../../eth/typed-data';
import { LruCache } from '../../lru-cache';
import { contractKey, entryOf } from '../metadata/contract-metadata';
import { nameOf } from '../words/names';
import { type TypedReading, type TypedScene } from '../rules/messages/rule';
import { type Section } from '../explanation';
import { type DescribedReading } from './calls';
import { describe, type Described } from './describe';
import { type MessageDescriptor } from './descriptor';
import { effectsOf } from './facts';
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

const TITLE = 'Message described in the ERC-7730 registry';

const fitsDomain = ({ domain: wanted = {} }: MessageDescriptor, domain: TypedData['domain']): boolean =>
  Object.entries(wanted).every(([name, value]) => Object.hasOwn(domain, name) && String(domain[name]) === value);

/** The digits of short types: those of a permit are looked for each time that one is explained. */
const digitsOf = new LruCache<string, string>(50);
const SHORT = 1000;

/** The first digits of a type's hash, which are the key of its descriptors. */
function typeDigits(types: TypedDataTypes, primaryType: string): string {
  const encoded = encodeType(types, primaryType);
  const known = digitsOf.get(encoded);
  if (known !== undefined) return known;
  const digits = toHex(keccak256(new TextEncoder().encode(encoded))).slice(2, 10);
  if (encoded.length <= SHORT) digitsOf.set(encoded, digits);
  return digits;
}

type Found = Described & { readonly descriptor: MessageDescriptor };

/** @param isKnown - Whether a rule of ours knows the type. Then a description of the type itself fits any contract. */
function find(
  { types, primaryType, domain, message }: TypedData,
  scene: TypedScene,
  isKnown: boolean,
): Found | undefined {
  const { contract, chainId, view } = scene;
  if (contract === undefined || chainId === undefined || !isHex(contract)) return undefined;
  const digits = typeDigits(types, primaryType);
  const shard = shardOf(isKnown ? 'beside' : 'message', digits, scene);
  const all = entryOf(shard?.messages ?? {}, digits) ?? [];
  const contractsOf = ({ at }: MessageDescriptor): readonly string[] => shard?.contracts[at] ?? [];
  const key = contractKey(chainId, contract);
  const descriptor =
    all.find((candidate) => contractsOf(candidate).includes(key) && fitsDomain(candidate, domain)) ??
    all.find((candidate) => isKnown && contractsOf(candidate).length === 0);
  if (descriptor === undefined) return undefined;
  const roots = {
    data: valueOf(types, primaryType, message),
    container: { to: contract, from: view.signer, chainId },
  };
  const described = describe(descriptor, { roots, to: contract, scene }, true);
  return described && { ...described, descriptor };
}

/**
 * Decodes a message with the bundled ERC-7730 descriptors, found by chain, verifying contract and type.
 *
 * @returns undefined if no descriptor matches.
 */
export function readDescribedMessage(data: TypedData, scene: TypedScene): DescribedReading<TypedReading> | undefined {
  const found = find(data, scene, false);
  if (found === undefined) return undefined;
  const { intent, lines, calls, facts, descriptor } = found;
  return {
    title: TITLE,
    // The calls that a message allows say more.
    ...(calls.length === 0 && {
      quotedAs: `Sign ${intent} for ${nameOf(data.domain.verifyingContract as Hex, scene.view)}`,
    }),
    effects: effectsOf(facts, descriptor.allows === true, scene.view.signer, scene),
    isListed: true,
    lines,
    calls,
    facts,
  };
}

/** A section with what the registry says of a message that a rule of ours has explained. It decides nothing. */
export function describedMessageSections(data: TypedData, scene: TypedScene): Section[] {
  const found = find(data, scene, true);
  return found === undefined ? [] : [{ title: TITLE, lines: found.lines, sections: [] }];
}
