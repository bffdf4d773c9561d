import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { type AbiParameter } from 'viem';

import { toHex } from '../../src/core/eth/bytes';
import { type CallDescriptor, type MessageDescriptor, type Shard } from '../../src/core/decode/descriptors/descriptor';
import { contractKey } from '../../src/core/decode/metadata/contract-metadata';
import { compileFields, compileSentence, Unsupported } from './fields';
import { GUESSES } from './guesses';
import { membersOf, undescribed } from './leaves';
import { canonical, parseSignature } from './signature';
import { type Deployment, type Source, type SourceFormat, withIncludes } from './source';

type Draft = {
  contracts: string[][];
  calls: Record<string, CallDescriptor[]>;
  messages: Record<string, MessageDescriptor[]>;
  guesses: Record<string, string>;
};

/** The compiled descriptors, and what was left out and why. */
export type Compiled = {
  shards: Readonly<Record<string, Shard>>;
  formats: number;
  unsupported: readonly string[];
};

const hashDigits = (text: string): string => toHex(keccak256(new TextEncoder().encode(text))).slice(2, 10);

const byKey = <Value>(record: Record<string, Value>): [string, Value][] =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

function mergeShard({ contracts, calls, messages, guesses }: Draft): Shard {
  const merged: string[][] = [];
  const indexOf = (list: string[]): number => {
    const index = merged.findIndex((known) => known.join() === list.join());
    return index === -1 ? merged.push(list) - 1 : index;
  };
  const mergeList = <Item extends { at: number }>(list: Item[]): Item[] => {
    const groups = new Map<string, { first: Item; contracts: string[] }>();
    for (const item of list) {
      const key = JSON.stringify({ ...item, at: 0 });
      const group = groups.get(key) ?? { first: item, contracts: [] };
      group.contracts.push(...(contracts[item.at] ?? []));
      groups.set(key, group);
    }
    return [...groups.values()].map(({ first, contracts: all }) => ({
      ...first,
      at: indexOf([...new Set(all)].sort()),
    }));
  };
  const mergeAll = <Item extends { at: number }>(record: Record<string, Item[]>) =>
    Object.fromEntries(byKey(record).map(([key, list]) => [key, mergeList(list)]));
  return {
    calls: mergeAll(calls),
    messages: mergeAll(messages),
    guesses: Object.fromEntries(byKey(guesses)),
    contracts: merged,
  };
}

class Shards {
  readonly #drafts: Record<string, Draft> = {};

  of(digits: string): Draft {
    return (this.#drafts[digits.charAt(0)] ??= { contracts: [], calls: {}, messages: {}, guesses: {} });
  }

  /** @returns The index of the list of contracts in the shard; added if it is new. */
  at(digits: string, contracts: string[]): number {
    const known = this.of(digits).contracts;
    const index = known.findIndex((list) => list.join() === contracts.join());
    return index === -1 ? known.push(contracts) - 1 : index;
  }

  /** Merges descriptors that differ only in their contracts. Unused contracts are dropped. */
  get merged(): Record<string, Shard> {
    const entries = Object.keys(this.#drafts).sort();
    return Object.fromEntries(entries.map((digit) => [digit, mergeShard(this.of(digit))]));
  }
}

const contractsOf = (deployments: readonly Deployment[]): string[] =>
  [
    ...new Set(deployments.map(({ chainId, address }) => contractKey(BigInt(chainId), address as `0x${string}`))),
  ].sort();

function intentOf({ intent }: SourceFormat, { metadata }: Source): string {
  if (typeof intent === 'string') return intent;
  if (typeof intent === 'object' && intent !== null)
    return Object.entries(intent)
      .map(([label, words]) => `${label}: ${String(words)}`)
      .join(', ');
  return metadata?.contractName ?? metadata?.owner ?? 'Sign';
}

/** Names of functions and types that give a permission. */
const ALLOWS = /^_?(?:set|increase|create)?_?(?:approv|allow|permit|delegat|session)/iu;
/** Messages for an amount that say that a permission has no limit, unlike "All" of a debt. */
const NO_LIMIT = /unlimited|any|infinite/iu;

/** What calls and messages have in common. */
function describedBy(name: string, parameters: readonly AbiParameter[], format: SourceFormat, source: Source) {
  const fields = compileFields(format.fields ?? [], source);
  const sentence =
    format.interpolatedIntent === undefined ? undefined : compileSentence(format.interpolatedIntent, fields);
  const allows = ALLOWS.test(name) || fields.some((field) => 'message' in field && NO_LIMIT.test(field.message ?? ''));
  return {
    owner: source.metadata?.owner ?? source.metadata?.contractName ?? 'nobody',
    intent: intentOf(format, source),
    ...(sentence !== undefined && { sentence }),
    fields,
    hidden: undescribed(parameters, fields),
    ...(allows && { allows: true as const }),
  };
}

/** `contracts` holds the verifying contract and chain; the rest of the domain is compared as text. */
function domainOf(domain: Record<string, unknown>): Record<string, string> {
  const rest = Object.entries(domain).filter(([name]) => name !== 'chainId' && name !== 'verifyingContract');
  return Object.fromEntries(rest.map(([name, value]) => [name, String(value)]));
}

function addCalls(source: Source, deployments: readonly Deployment[], each: Each): void {
  const contracts = contractsOf(deployments);
  for (const [signature, format] of Object.entries(source.display?.formats ?? {})) {
    each(signature, (shards) => {
      const { name, inputs } = parseSignature(signature);
      const selector = hashDigits(canonical(name, inputs));
      shards.of(selector).guesses[selector] ??= canonical(name, inputs);
      if (contracts.length === 0) return;
      const at = shards.at(selector, contracts);
      (shards.of(selector).calls[selector] ??= []).push({ at, ...describedBy(name, inputs, format, source), inputs });
    });
  }
}

function addMessages(source: Source, deployments: readonly Deployment[], each: Each): void {
  const domain = source.context?.eip712?.domain ?? {};
  const { chainId, verifyingContract } = domain;
  const pinned =
    deployments.length === 0 && typeof chainId === 'number' && typeof verifyingContract === 'string'
      ? [{ chainId, address: verifyingContract }]
      : deployments;
  const contracts = contractsOf(pinned);
  for (const [type, format] of Object.entries(source.display?.formats ?? {})) {
    each(type, (shards) => {
      const digits = hashDigits(type);
      const at = shards.at(digits, contracts);
      const rest = domainOf(domain);
      (shards.of(digits).messages[digits] ??= []).push({
        at,
        ...describedBy(type, membersOf(type), format, source),
        ...(Object.keys(rest).length > 0 && { domain: rest }),
      });
    });
  }
}

type Each = (key: string, add: (shards: Shards) => void) => void;

/**
 * Compiles ERC-7730 descriptors into the snap's format: references resolved, paths parsed, grouped by the first digit
 * of selectors and type hashes. The same files produce the same shards, byte for byte.
 *
 * @param files - Descriptors by path, as in the registry.
 */
export function compileDescriptors(files: Readonly<Record<string, Source>>): Compiled {
  const shards = new Shards();
  const unsupported: string[] = [];
  let formats = 0;
  for (const name of Object.keys(files).sort()) {
    const source = withIncludes(files, name);
    const { contract, eip712 } = source.context ?? {};
    const each: Each = (key, add) => {
      formats++;
      try {
        add(shards);
      } catch (error) {
        if (!(error instanceof Unsupported)) throw new Error(`${name}, ${key}`, { cause: error });
        unsupported.push(`${name} ${key}: ${error.message}`);
      }
    };
    if (contract?.deployments !== undefined) addCalls(source, contract.deployments, each);
    if (eip712 !== undefined) addMessages(source, eip712.deployments ?? [], each);
  }
  for (const signature of GUESSES) {
    const selector = hashDigits(signature);
    shards.of(selector).guesses[selector] = signature;
  }
  return { shards: shards.merged, formats, unsupported };
}
