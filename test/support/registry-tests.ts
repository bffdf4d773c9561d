import { parseTransaction } from 'viem';

import { type Hex } from '../../src/core/eth/bytes';
import { type TypedData } from '../../src/core/eth/typed-data';
import { explainAction } from '../../src/core/decode/explain/transaction';
import { type Explanation, type Line, type Section, type Viewpoint } from '../../src/core/decode/explanation';
import { ARCHIVED } from '../../scripts/contract-metadata/registry';
import { Library } from '../../src/snap/explain/metadata/library';
import { bundledFiles } from './contract-metadata';
import { explainTyped, ME, NOW, ungrouped } from './explaining';

/** What a rendering test of the ERC-7730 registry expects (`specs/erc7730-tests-v2.schema.json`). */
type Expected = {
  readonly intent: string;
  readonly interpolatedIntent?: string;
  readonly fields: readonly { readonly label: string; readonly value: string | Expected }[];
};

export type RegistryTest = {
  readonly description: string;
  readonly rawTx?: Hex;
  readonly from?: Hex;
  readonly data?: TypedData;
  readonly expected: Expected;
};

/** A file of tests, with the facts that a node or a name service would give. */
export type RegistryFile = {
  readonly file: string;
  readonly dataProvider?: {
    readonly tokens?: Readonly<Record<Hex, { readonly symbol: string; readonly decimals: number }>>;
    readonly ensNames?: Readonly<Record<Hex, string>>;
    readonly addressNames?: Readonly<Record<Hex, string>>;
    readonly nftCollectionNames?: Readonly<Record<Hex, string>>;
  };
  readonly tests: readonly RegistryTest[];
};

/** The registry's rendering tests, in the archive that the build reads. */
export const registryFiles = (): readonly RegistryFile[] =>
  Object.entries(ARCHIVED)
    .filter(([path]) => /^registry\/[^/]+\/testsv2\//u.test(path))
    .map(([path, content]) => ({
      file: path.replace('registry/', '').replace('testsv2/', '').replace('.tests.json', ''),
      ...(JSON.parse(content) as Omit<RegistryFile, 'file'>),
    }));

/** Values by their address in lower case. */
export const byAddress = <T>(values: Readonly<Record<Hex, T>> = {}): ReadonlyMap<string, T> =>
  new Map(Object.entries(values).map(([address, value]) => [address.toLowerCase(), value]));

/**
 * Explains a test's transaction or message with the snap's own files, and with its file's facts as the node's answers.
 *
 * @param described - False leaves the descriptors out.
 */
export async function explainRegistryTest(
  { dataProvider = {} }: RegistryFile,
  test: RegistryTest,
  described = true,
): Promise<Explanation> {
  const tokens = byAddress(dataProvider.tokens);
  const collections = byAddress(dataProvider.nftCollectionNames);
  const { readFile } = bundledFiles();
  const library = new Library(
    (path) => (described || path.endsWith('tokens.json') ? readFile(path) : Promise.resolve(undefined)),
    () => Promise.resolve({}),
    (_chainId, address) => Promise.resolve(tokens.get(address.toLowerCase()) ?? null),
    (_chainId, address) => Promise.resolve(collections.get(address.toLowerCase()) ?? null),
  );
  const view: Viewpoint = { signer: test.from ?? ME, now: NOW };
  if (test.data !== undefined) return library.complete(explainTyped(test.data, view));
  const { chainId = 0, to = null, value = 0n, data = '0x' } = parseTransaction(test.rawTx ?? '0x');
  return library.complete(explainAction({ to: to as Hex | null, value, data, chainId: BigInt(chainId) }, view));
}

const linesOf = ({ lines, sections }: Pick<Section, 'lines' | 'sections'>): Line[] => [
  ...lines,
  ...sections.flatMap(linesOf),
];

type Field = { readonly label: string; readonly value: string; readonly isCall: boolean };

/** All names that a file's facts have for addresses. */
export function namesOf({ dataProvider = {} }: RegistryFile): ReadonlyMap<string, string> {
  const { tokens, ensNames, addressNames } = dataProvider;
  const symbols = [...byAddress(tokens)].map(([address, { symbol }]) => [address, symbol] as const);
  return new Map([...symbols, ...byAddress(ensNames), ...byAddress(addressNames)]);
}

/** The expected fields; a value that is a call itself is followed by its fields. */
export const fieldsOf = ({ fields }: Expected): Field[] =>
  fields.flatMap(({ label, value }) =>
    typeof value === 'string'
      ? [{ label, value, isCall: false }]
      : [{ label, value: value.intent, isCall: true }, ...fieldsOf(value)],
  );

/** A value without groups of digits and quotation marks, with the registry's end of a time, in one case. */
const plain = (value: string): string =>
  ungrouped(value)
    .replaceAll(/[“”"]/gu, '')
    .replace(/ UTC(?=$|, that is )/u, 'Z')
    .toLowerCase();

/**
 * Whether a line shows an expected value. Ours may say more: an amount after its message, a number after its name. An
 * address stands for any name of it. An inner call is explained in a section of its own, and bytes may be cut off.
 */
function shows({ kind, value }: Line, wanted: Field, names: ReadonlyMap<string, string>): boolean {
  const [ours, theirs] = [plain(value), plain(wanted.value)];
  const [start = ''] = ours.split('…');
  return (
    ours === theirs ||
    ours.startsWith(`${theirs}, that is `) ||
    ours.startsWith(`${theirs} (`) ||
    ours.replace(/, that is .*$/u, '').replaceAll(' ', '') === theirs.replaceAll(' ', '') ||
    (kind === 'address' && names.get(ours) === wanted.value) ||
    ours === 'a call, explained separately' ||
    (ours.includes('…') && theirs.startsWith(start))
  );
}

/** How much of a test is on the screen. */
export type RegistryScore = { intent: number; intents: number; labels: number; values: number; fields: number };

/** Compares an explanation with a test. Each line counts for one field only. Also lists what is missing. */
export function scoreRegistryTest(
  file: RegistryFile,
  { expected }: RegistryTest,
  explanation: Explanation | undefined,
): RegistryScore & { readonly missing: readonly string[] } {
  const names = namesOf(file);
  const left = explanation === undefined ? [] : linesOf(explanation);
  const isIntent = ({ label, value }: Line): boolean => label === 'Intent' && value === expected.intent;
  const intent = left.some(isIntent) ? 1 : 0;
  const missing = intent === 1 ? [] : [`intent ${expected.intent}`];
  const fields = fieldsOf(expected);
  let [labels, values] = [0, 0];
  for (const field of fields) {
    const labelled = left.filter(({ label }) => label === `“${field.label}”`);
    const line = labelled.find((one) => shows(one, field, names)) ?? labelled[0];
    if (line === undefined) missing.push(`label ${field.label}`);
    else {
      left.splice(left.indexOf(line), 1);
      labels++;
      if (shows(line, field, names)) values++;
      else missing.push(`value ${field.label}: ${field.value} / ${line.value}`);
    }
  }
  return { intent, intents: 1, labels, values, fields: fields.length, missing };
}
