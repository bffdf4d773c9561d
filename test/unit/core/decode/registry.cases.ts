import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { getAddress, parseTransaction } from 'viem';

import { type Hex } from '../../../../src/core/eth/bytes';
import { type TypedData, typedDataDigest } from '../../../../src/core/eth/typed-data';
import { freshBudget } from '../../../../src/core/decode/rules/calls';
import { type Reading } from '../../../../src/core/decode/rules/calls/rule';
import { type Scene } from '../../../../src/core/decode/scene';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { readDescribedCall } from '../../../../src/core/decode/descriptors/calls';
import { readDescribedMessage } from '../../../../src/core/decode/descriptors/messages';
import { NO_METADATA, contractKey } from '../../../../src/core/decode/metadata/contract-metadata';
import { text } from '../../../../src/core/decode/words/lines';
import { type Token } from '../../../../src/core/decode/metadata/contract-metadata';
import { type Line } from '../../../../src/core/decode/explanation';
import { ME, NOW, typedData, ungrouped } from '../../../support/explaining';
import { compiled } from '../../../support/contract-metadata';

type Part = 'intent' | 'labels' | 'values';

type Expected = {
  readonly name: string;
  readonly intent: string;
  /** A value that is a call itself is its intent, followed by its fields. */
  readonly fields: readonly (readonly [label: string, value: string])[];
  /** What we show differently and why; 'nothing' if no descriptor is used. */
  readonly differs?: { readonly in: readonly Part[] | 'nothing'; readonly because: string };
};
type CallCase = Expected & { readonly rawTx: Hex; readonly from?: Hex };
type MessageCase = Expected & Pick<TypedData, 'domain' | 'message'> & { readonly type: string };

/** Cases of one file of the registry's rendering tests, with the facts of its data provider. */
type Cases = {
  /** The file, in the folder of the entity. */
  readonly of: string;
  /** By lower-case address. */
  readonly tokens?: Readonly<Record<string, Token>>;
  readonly names?: Readonly<Record<string, string>>;
  readonly cases: readonly (CallCase | MessageCase)[];
};

const FOLDER = join(__dirname, 'registry');

/**
 * Cases of the ERC-7730 registry's rendering tests (CC0; ethereum and LedgerHQ, clear-signing-erc7730-registry,
 * `registry/<entity>/testsv2`), one file for each entity. Types are written as encodeType writes them.
 */
const ALL = readdirSync(FOLDER).flatMap((file) => {
  const entity = file.replace('.json', '');
  const groups = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Cases[];
  return groups.flatMap((group) =>
    group.cases.map((test) => ({ title: `${entity} ${group.of}: ${test.name}`, entity, group, test })),
  );
});

function sceneOf(chainId: bigint, { tokens = {} }: Cases) {
  const known = Object.entries(tokens).map(([address, token]) => [contractKey(chainId, address as Hex), token]);
  const contractMetadata = { ...NO_METADATA, shards: compiled.shards, tokens: Object.fromEntries(known) };
  return { view: { signer: ME, now: NOW, contractMetadata }, chainId, findings: new Findings(), budget: freshBudget() };
}

/** The domain's members as the cases declare them, including the salt, which holds the chain in one case. */
function dataOf({ type, domain, message }: MessageCase): TypedData {
  const data = typedData(type, domain, message);
  if (domain.salt === undefined) return data;
  const members = data.types['EIP712Domain'] ?? [];
  return { ...data, types: { ...data.types, EIP712Domain: [...members, { name: 'salt', type: 'bytes32' }] } };
}

/**
 * Replaces each inner call by its intent and lines, or by its data if it has no descriptor.
 */
function withCalls({ lines = [], calls = [] }: Pick<Reading, 'lines' | 'calls'>, scene: Scene): readonly Line[] {
  const left = [...calls];
  return lines.flatMap((line) => {
    const call = /^(?:a call, explained separately|0x \(no call data\))$/u.test(line.value) ? left.shift() : undefined;
    if (call === undefined) return [line];
    const reading = readDescribedCall(call, scene);
    const inner = reading === undefined ? [] : withCalls(reading, scene);
    const intent = inner.find(({ label }) => label === 'Intent')?.value;
    return [text(line.label, intent ?? `0x${call.data}`), ...inner];
  });
}

function render(test: CallCase | MessageCase, group: Cases): { lines: readonly Line[] | undefined; chainId: bigint } {
  if ('rawTx' in test) {
    const { chainId, to, value = 0n, data = '0x' } = parseTransaction(test.rawTx);
    const id = BigInt(chainId ?? 0);
    const call = { to: to as Hex, value, data: data.slice(2), ...(test.from && { from: test.from }) };
    const scene = sceneOf(id, group);
    const reading = readDescribedCall(call, scene);
    return { lines: reading && withCalls(reading, scene), chainId: id };
  }
  const data = dataOf(test);
  typedDataDigest(data);
  const chainId = BigInt(String(test.domain.chainId ?? test.domain.salt));
  const contract = String(test.domain.verifyingContract).toLowerCase() as Hex;
  const scene = { ...sceneOf(chainId, group), contract };
  const reading = readDescribedMessage(data, scene);
  return { lines: reading && withCalls(reading, scene), chainId };
}

/** The coins of the chains in the cases. Our lines call them ETH or the network's coin. */
const COINS: Readonly<Record<string, string>> = { '14': 'FLR', '19': 'SGB', '43114': 'AVAX', '42220': 'CELO' };

/**
 * One of our values in the registry's words. The deliberate differences:
 *
 * - an address is shown itself, never by a name, and gets its checksum on the screen;
 * - the digits of an amount are in groups;
 * - a time ends with "UTC" instead of "Z";
 * - the name of the network's coin is unknown;
 * - an amount of an unknown token says that it is in the smallest unit;
 * - the number itself follows a message for an amount or a name for a number, and a message is shown for unknown tokens
 *   too;
 * - a unit other than a percentage is in quotation marks, after a space;
 * - the collection of an NFT is its address, on the next line;
 * - an inner call is explained below its outer call.
 */
function inTheirWords({ kind, value }: Line, next: Line | undefined, { names = {} }: Cases, chainId: bigint): string {
  if (kind === 'address') return names[value.toLowerCase()] ?? getAddress(value);
  return ungrouped(value)
    .replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC$/u, '$1Z')
    .replace("ETH (or the network's coin)", COINS[chainId.toString()] ?? 'ETH')
    .replace(/^(?:“.*”, that is )?(\d+) \(in the token's smallest unit\)$/u, '$1')
    .replace(/^“(.*)”( .*)?, that is .*$/u, '$1$2')
    .replace(/^“(.*)” \([^ ]*\)$/u, '$1')
    .replace(/^([\d.]+) ?“(.*)”$/u, '$1$2')
    .replace(/^Sender \(given as the zero address\)$/u, 'Sender')
    .replace(/^token ID (\d+)$/u, `${names[next?.value.toLowerCase() ?? ''] ?? ''} #$1`);
}

/**
 * Bytes are truncated after 200 characters, and the rest is counted. Some cases show an address itself although they
 * have a name for it.
 */
function isSame(ours: string, theirs: string, { kind, value }: Line): boolean {
  if (kind === 'address' && getAddress(value) === theirs) return true;
  const cut = /^(.*)… \((\d+) more characters\)$/u.exec(ours);
  if (cut === null) return ours === theirs.trim();
  const [, beginning = '', rest] = cut;
  return theirs.startsWith(beginning) && theirs.length === beginning.length + Number(rest);
}

/** The parts of a case that differ from the registry. Labels from a descriptor are in quotation marks. */
function differences({ group, test }: (typeof ALL)[number]): Part[] | 'nothing' {
  const { lines, chainId } = render(test, group);
  if (lines === undefined) return 'nothing';
  const ours = lines.flatMap((line, at) => (line.label.startsWith('“') ? [{ line, next: lines[at + 1] }] : []));
  const labels = ours.map(({ line }) => line.label.slice(1, -1));
  const isValue = ([, value]: readonly [string, string], at: number): boolean => {
    const { line, next } = ours[at] ?? {};
    return line !== undefined && isSame(inTheirWords(line, next, group, chainId), value, line);
  };
  const { intent, fields } = test;
  return [
    ...(lines.find(({ label }) => label === 'Intent')?.value === intent ? [] : ['intent' as const]),
    ...(labels.join('\n') === fields.map(([label]) => label).join('\n') ? [] : ['labels' as const]),
    ...(ours.length === fields.length && fields.every(isValue) ? [] : ['values' as const]),
  ];
}

describe("the registry's own rendering tests", () => {
  it.each(ALL.map((one) => [one.title, one] as const))('%s', (_title, one) => {
    expect(differences(one)).toEqual(one.test.differs?.in ?? []);
  });

  it('have addresses with a valid checksum', () => {
    // Twenty bytes in lower case may be something else, such as the hash of a public key.
    const addresses = ALL.flatMap(({ test }) => test.fields.map(([, value]) => value)).filter((value) =>
      /^0x(?=.*[A-F])[\da-fA-F]{40}$/u.test(value),
    );
    expect(addresses.map((address) => getAddress(address as Hex))).toEqual(addresses);
  });

  it('give the score stated in the documentation', () => {
    const all = ALL.map(differences);
    const same = (part: Part): number => all.filter((found) => found !== 'nothing' && !found.includes(part)).length;
    expect({
      entities: new Set(ALL.map(({ entity }) => entity)).size,
      messages: ALL.filter(({ test }) => 'type' in test).length,
      cases: all.length,
      intent: same('intent'),
      labels: same('labels'),
      values: same('values'),
      all: all.filter((found) => found.length === 0).length,
    }).toEqual({ entities: 42, messages: 173, cases: 602, intent: 579, labels: 554, values: 534, all: 533 });
  });
});
