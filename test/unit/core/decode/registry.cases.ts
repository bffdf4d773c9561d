import { getAddress, parseTransaction } from 'viem';

import { type Hex } from '../../../../src/core/eth/bytes';
import { typedDataDigest } from '../../../../src/core/eth/typed-data';
import { freshBudget } from '../../../../src/core/decode/rules/calls';
import { type Reading } from '../../../../src/core/decode/rules/calls/rule';
import { type Scene } from '../../../../src/core/decode/scene';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { readDescribedCall } from '../../../../src/core/decode/descriptors/calls';
import { readDescribedMessage } from '../../../../src/core/decode/descriptors/messages';
import { NO_METADATA, contractKey } from '../../../../src/core/decode/metadata/contract-metadata';
import { networkOf } from '../../../../src/core/networks/network';
import { text } from '../../../../src/core/decode/words/lines';
import { type Line } from '../../../../src/core/decode/explanation';
import { ME, NOW, ungrouped } from '../../../support/explaining';
import { compiled } from '../../../support/contract-metadata';
import {
  byAddress,
  fieldsOf,
  namesOf,
  type RegistryFile,
  type RegistryTest,
  registryFiles,
} from '../../../support/registry-tests';

type Part = 'intent' | 'labels' | 'values';

const ALL = registryFiles().flatMap((file) => file.tests.map((test) => ({ file, test })));

function sceneOf(chainId: bigint, { dataProvider = {} }: RegistryFile) {
  const at = <T>(values: Readonly<Record<Hex, T>> = {}): Record<string, T> =>
    Object.fromEntries([...byAddress(values)].map(([address, value]) => [contractKey(chainId, address as Hex), value]));
  const { tokens, nftCollectionNames } = dataProvider;
  const contractMetadata = {
    ...NO_METADATA,
    shards: compiled.shards,
    tokens: at(tokens),
    collections: at(nftCollectionNames),
  };
  return { view: { signer: ME, now: NOW, contractMetadata }, chainId, findings: new Findings(), budget: freshBudget() };
}

/** Replaces each inner call by its intent and lines, or by its data if it has no descriptor. */
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

function render({ rawTx, from, data }: RegistryTest, file: RegistryFile) {
  if (data === undefined) {
    const { chainId, to, value = 0n, data: calldata = '0x' } = parseTransaction(rawTx ?? '0x');
    const id = BigInt(chainId ?? 0);
    const call = { to: to as Hex, value, data: calldata.slice(2), ...(from && { from }) };
    const scene = sceneOf(id, file);
    const reading = readDescribedCall(call, scene);
    return { lines: reading && withCalls(reading, scene), chainId: id };
  }
  typedDataDigest(data);
  const { domain } = data;
  const chainId = BigInt(String(domain.chainId ?? domain.salt));
  const contract = String(domain.verifyingContract).toLowerCase() as Hex;
  const scene = { ...sceneOf(chainId, file), contract };
  const reading = readDescribedMessage(data, scene);
  return { lines: reading && withCalls(reading, scene), chainId };
}

/**
 * One of our values in the registry's words. The deliberate differences:
 *
 * - an address is shown itself, never by a name, and gets its checksum on the screen;
 * - the digits of an amount are in groups;
 * - a time ends with "UTC" instead of "Z";
 * - an amount of an unknown token says that it is in the smallest unit;
 * - the number itself follows a message for an amount, a name for a number, a unit with decimals, a duration, and a
 *   time that is not of today; a message is shown for unknown tokens too;
 * - a unit other than a percentage is in quotation marks, after a space;
 * - the collection of an NFT is its address, on the next line;
 * - an inner call is explained below its outer call.
 */
function inTheirWords({ kind, value }: Line, names: ReadonlyMap<string, string>, chainId: bigint): string {
  if (kind === 'address') return names.get(value.toLowerCase()) ?? getAddress(value);
  return ungrouped(value)
    .replace("ETH (or the network's coin)", networkOf(chainId).symbol)
    .replace(/^(?:“.*”, that is )?(\d+) \(in the token's smallest unit\)$/u, '$1')
    .replace(/^“(.*)”( .*)?, that is .*$/u, '$1$2')
    .replace(/, that is \d.*$/u, '')
    .replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC$/u, '$1Z')
    .replace(/^“(.*)” \([^ ]*\)$/u, '$1')
    .replace(/^([\d.]+) ?“(.*)”$/u, '$1$2')
    .replace(/^Sender \(given as the zero address\)$/u, 'Sender')
    .replace(/^“(.*)” #(\d+)$/u, '$1 #$2');
}

/**
 * Bytes are truncated after 200 characters, and the rest is counted. Some cases show an address itself although they
 * have a name for it.
 */
function isSame(ours: string, theirs: string, { kind, value }: Line): boolean {
  if (kind === 'address' && getAddress(value).toLowerCase() === theirs.toLowerCase()) return true;
  const cut = /^(.*)… \((\d+) more characters\)$/u.exec(ours);
  if (cut === null) return ours === theirs.trim();
  const [, beginning = '', rest] = cut;
  return theirs.startsWith(beginning) && theirs.length === beginning.length + Number(rest);
}

/** The parts of a case that differ from the registry. Labels from a descriptor are in quotation marks. */
function differences({ file, test }: (typeof ALL)[number]): Part[] | 'nothing' {
  const { lines, chainId } = render(test, file);
  if (lines === undefined) return 'nothing';
  const names = namesOf(file);
  const ours = lines.filter(({ label }) => label.startsWith('“'));
  const fields = fieldsOf(test.expected);
  const isValue = ({ value }: { value: string }, at: number): boolean => {
    const line = ours[at];
    return line !== undefined && isSame(inTheirWords(line, names, chainId), value, line);
  };
  return [
    ...(lines.find(({ label }) => label === 'Intent')?.value === test.expected.intent ? [] : ['intent' as const]),
    ...(ours.map(({ label }) => label.slice(1, -1)).join('\n') === fields.map(({ label }) => label).join('\n')
      ? []
      : ['labels' as const]),
    ...(ours.length === fields.length && fields.every(isValue) ? [] : ['values' as const]),
  ];
}

/** The only tests that differ, and why. */
const DIFFERENT: Readonly<Record<string, { readonly in: readonly Part[] | 'refused'; readonly because: string }>> = {
  '1inch/calldata-AggregationRouterV6: 1inch: AggregationRouterV6: permitAndCall': {
    in: ['values'],
    because: 'Keystead knows USDT, the test has no token',
  },
  'kyberswap/calldata-MetaAggregationRouterV2: KyberSwap: MetaAggregationRouterV2: swap USDC to WFRAX': {
    in: ['values'],
    because: 'Keystead knows USDC, the test has no token',
  },
  'permit/eip712-permit-avalanche_c_chain-yetiswap: Authorize spending of tokens': {
    in: 'refused',
    because: 'the type of the domain has a version, the domain has none',
  },
};

const titleOf = ({ file, test }: (typeof ALL)[number]): string => `${file.file}: ${test.description}`;

describe("the registry's own rendering tests", () => {
  it.each(ALL.map((one) => [titleOf(one), one] as const))('%s', (title, one) => {
    const different = DIFFERENT[title]?.in ?? [];
    if (different === 'refused') expect(() => differences(one)).toThrow('typedData.domain.version: is missing');
    else expect(differences(one)).toEqual(different);
  });

  it('are those of the pinned commit', () => {
    const titles = new Set(ALL.map(titleOf));
    expect({
      tests: ALL.length,
      messages: ALL.filter(({ test }) => test.data !== undefined).length,
      entities: new Set(ALL.map(({ file }) => file.file.split('/')[0])).size,
      gone: Object.keys(DIFFERENT).filter((title) => !titles.has(title)),
    }).toEqual({ tests: 509, messages: 135, entities: 41, gone: [] });
  });
});
