import { type ClearSigField, type ClearSigResult, repository } from 'micro-eth-signer/clearsig.js';
import {
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  getAddress,
  hexToBytes,
  parseAbiItem,
  toFunctionSelector,
} from 'viem';

import { compileContractMetadata } from '../../scripts/contract-metadata';
import { REGISTRY } from '../../scripts/contract-metadata/registry';
import { type Deployment, type Source, withIncludes } from '../../scripts/contract-metadata/source';
import { type Hex, toHex } from '../../src/core/eth/bytes';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { type TypedData, type TypedDataTypes } from '../../src/core/eth/typed-data';
import { freshBudget } from '../../src/core/decode/rules/calls';
import { Findings } from '../../src/core/decode/effects/findings';
import { readDescribedCall } from '../../src/core/decode/descriptors/calls';
import { readDescribedMessage } from '../../src/core/decode/descriptors/messages';
import { NO_METADATA } from '../../src/core/decode/metadata/contract-metadata';
import { type Token } from '../../src/core/decode/metadata/contract-metadata';
import { tokenAt } from '../../src/core/decode/metadata/tokens';
import { type Line } from '../../src/core/decode/explanation';
import { ME, NOW, typesOf, ungrouped } from '../support/explaining';
import { compiled } from '../support/contract-metadata';

const tokens = compileContractMetadata().files['contract-metadata/tokens.json'] as Record<string, Token>;
const VALUE = 1_234_500_000_000_000_000n;
const scene = (chainId: bigint) => ({
  view: { signer: ME, now: NOW, contractMetadata: { ...NO_METADATA, shards: compiled.shards, tokens } },
  chainId,
  findings: new Findings(),
  budget: freshBudget(),
});

/** Gives the other renderer our tokens. Inner calls are left to us. */
const OPTIONS = {
  allowUnreadBytes: true,
  resolveToken: ({ address, chainId }: { address: string; chainId?: bigint }) =>
    Promise.resolve(tokenAt(address as Hex, scene(chainId ?? 1n))),
  renderCalldata: () => Promise.resolve(undefined),
};

/** A deterministic value of a type, made from a seed. */
function valueOf({ type, ...rest }: AbiParameter, next: () => number): unknown {
  const bracket = /^(.*)\[(\d*)\]$/u.exec(type);
  if (bracket !== null) {
    const count = bracket[2] === '' ? next() % 4 : Number(bracket[2]);
    return Array.from({ length: count }, () => valueOf({ ...rest, type: bracket[1]! } as AbiParameter, next));
  }
  const bytes = (length: number): Hex => toHex(Uint8Array.from({ length }, () => 1 + (next() % 255)));
  if (type === 'tuple')
    return Object.fromEntries(
      (rest as { components: AbiParameter[] }).components.map((member) => [member.name, valueOf(member, next)]),
    );
  if (type === 'address') return getAddress(bytes(20));
  if (type === 'bool') return next() % 2 === 0;
  if (type === 'string') return `text ${next()}`;
  if (type === 'bytes') return bytes(64);
  if (type.startsWith('bytes')) return bytes(Number(type.slice(5)));
  const bits = Number(type.replace(/\D/gu, '') || 256);
  // Small enough for a time; sometimes the number of an enum.
  const small = [1n, 2n, 1_700_000_000n, 123_456_789_012n][next() % 4]!;
  const value = BigInt.asUintN(bits - 1, small);
  // viem wants numbers up to 48 bits.
  return bits <= 48 ? Number(value) : value;
}

function counter(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 8;
}

/** Lines that the other renderer does not have. */
const OWN_LABELS = ['Intent', 'In short', 'Author', 'Not described', 'Token', 'Collection', 'Name', 'Not shown'];
const linesOf = (lines: readonly Line[]): Line[] => lines.filter(({ label }) => !OWN_LABELS.includes(label));

const labelOf = ({ label }: Line): string => label.slice(1, -1);

/** Whether two renderers show the same value, each in its own words. */
function isSame(line: Line, { value, format, rawValue }: ClearSigField): boolean {
  const ours = ungrouped(line.value).replace(/^([^“].*), that is \d.*$/u, '$1');
  switch (format) {
    case 'addressName':
      return ours.toLowerCase() === value.toLowerCase();
    case 'amount':
      return ours.split(' ')[0] === value.split(' ')[0];
    case 'tokenAmount':
      if (ours.includes(', that is ')) return value.startsWith(/^“(.*)”/u.exec(ours)![1]!);
      return ours.split(' ')[0] === value.split(' ')[0];
    case 'date': {
      if (!/^\d{4}-/u.test(ours)) return ours === 'never' || ours === `block ${value}`;
      return new Date(`${ours.slice(0, 10)}T${ours.slice(11, 19)}Z`).toUTCString() === value;
    }
    case 'duration':
      return ours.startsWith(value);
    case 'unit':
      return ours.replaceAll(/[“”\s]/gu, '') === value.replaceAll(/\s/gu, '');
    case 'enum':
      return ours === value || ours.startsWith(`“${value}” (`);
    case 'nftName':
      return ours === `token ID ${value}`;
    case 'calldata':
      return ours === 'a call, explained separately';
    default:
      return ours.toLowerCase() === value.toLowerCase() || ours.startsWith(String(rawValue));
  }
}

/** The first difference, or undefined. */
function difference(lines: readonly Line[], fields: Record<string, ClearSigField>): string | undefined {
  const theirs = Object.entries(fields);
  const base = (label: string): string => label.replace(/ \d+$/u, '');
  // The other renderer shows lists of structs member by member.
  const order = new Map(theirs.map(([label], at) => [base(label), at] as const).reverse());
  const rank = (label: string): number => order.get(base(label)) ?? -1;
  const ours = linesOf(lines).sort((a, b) => rank(labelOf(a)) - rank(labelOf(b)));
  theirs.sort(([a], [b]) => rank(a) - rank(b));
  if (ours.length !== theirs.length) return `${ours.length} lines, ${theirs.length} fields`;
  for (const [index, [label, field]] of theirs.entries()) {
    const line = ours[index]!;
    // The other renderer numbers repeated labels.
    if (!label.startsWith(labelOf(line))) return `label ${label}: ${line.label}`;
    if (!isSame(line, field)) return `${label} (${field.format}): ${field.value} / ${line.value}`;
  }
  return undefined;
}

const theirs = repository(REGISTRY as never);

/** Each format is tested with so many sets of values. */
const ROUNDS = 3;

class Score {
  all = 0;
  /** Both render it the same. */
  same = 0;
  /** Both find that the descriptor does not match the data. */
  unfit = 0;
  readonly differences: string[] = [];

  count(what: string, ours: { lines?: readonly Line[] } | undefined, other: ClearSigResult | Error | undefined): void {
    this.all++;
    const fields = other instanceof Error ? undefined : other?.fields;
    if (ours === undefined && fields === undefined) this.unfit++;
    else {
      const found =
        ours === undefined || fields === undefined
          ? `ours ${ours === undefined ? 'does not' : 'does'} fit; ${String(other)}`
          : difference(ours.lines ?? [], fields);
      if (found === undefined) this.same++;
      else this.differences.push(`${what}: ${found}`);
    }
  }
}

async function compareCall(name: string, signature: string, deployment: Deployment, score: Score): Promise<void> {
  const chainId = BigInt(deployment.chainId);
  const to = deployment.address.toLowerCase() as Hex;
  const abi = parseAbiItem(`function ${signature}` as 'function f()') as unknown as AbiFunction;
  const selector = toFunctionSelector(abi);
  const entry = theirs.contracts[deployment.chainId]?.[to]?.find(
    ({ fn }) => fn !== undefined && toFunctionSelector(fn as never) === selector,
  );
  const next = counter(score.all);
  const data = encodeFunctionData({ abi: [abi], args: abi.inputs.map((input) => valueOf(input, next)) } as never);
  const ours = readDescribedCall({ to, from: ME, value: VALUE, data: data.slice(2) }, scene(chainId));
  const call = { to, from: ME.toLowerCase(), value: VALUE, data: hexToBytes(data), chainId };
  const other = await entry?.(call, OPTIONS).catch((error: Error) => error);
  score.count(`${name} ${signature}`, ours, other);
}

/** A message's type as an ABI struct, so that values are made the same way for both. */
function asParameter(types: TypedDataTypes, member: { name: string; type: string }): AbiParameter {
  const [base = '', ...brackets] = member.type.split(/(?=\[)/u);
  const members = types[base];
  if (members === undefined) return member;
  const components = members.map((inner) => asParameter(types, inner));
  return { ...member, type: `tuple${brackets.join('')}`, components };
}

async function compareMessage(
  name: string,
  type: string,
  { address, chainId }: Deployment,
  domain: object,
  score: Score,
): Promise<void> {
  const types = typesOf(type);
  const primaryType = type.slice(0, type.indexOf('('));
  const contract = address.toLowerCase() as Hex;
  const data = {
    types,
    primaryType,
    domain: { ...domain, chainId, verifyingContract: contract },
    message: valueOf(asParameter(types, { name: '', type: primaryType }), counter(score.all)) as TypedData['message'],
  };
  const digits = toHex(keccak256(new TextEncoder().encode(type)));
  const ours = readDescribedMessage(data, { ...scene(BigInt(chainId)), contract });
  const other = await theirs.eip712[chainId]?.[contract]
    ?.[digits]?.(data as never, OPTIONS)
    .catch((error: Error) => error);
  score.count(`${name} ${type}`, ours, other);
}

type Compare = (name: string, key: string, source: Source, score: Score) => Promise<void>;

async function compareAll(compare: Compare): Promise<Score> {
  const score = new Score();
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of Object.keys(REGISTRY).sort()) {
      const source = withIncludes(REGISTRY, name);
      for (const key of Object.keys(source.display?.formats ?? {})) await compare(name, key, source, score);
    }
  }
  return score;
}

describe('the bundled descriptors', () => {
  it('are all compiled', () => {
    expect(compiled.unsupported).toEqual([]);
  });

  it('render calls like micro-eth-signer', async () => {
    const { all, same, unfit, differences } = await compareAll(async (name, key, { context }, score) => {
      const [deployment] = context?.contract?.deployments ?? [];
      if (deployment !== undefined) await compareCall(name, key, deployment, score);
    });
    expect(differences).toEqual([]);
    expect({ all, same, unfit }).toEqual({ all: 3534, same: 3455, unfit: 79 });
  });

  it('render messages like micro-eth-signer', async () => {
    const { all, same, unfit, differences } = await compareAll(async (name, key, { context }, score) => {
      const { deployments = [], domain = {} } = context?.eip712 ?? {};
      const [deployment] = deployments;
      if (deployment !== undefined) await compareMessage(name, key, deployment, domain, score);
    });
    expect(differences).toEqual([]);
    expect({ all, same, unfit }).toEqual({ all: 393, same: 393, unfit: 0 });
  });
});
