import { expectExplained } from '../../../support/books';
import {
  explainRegistryTest,
  type RegistryFile,
  registryFiles,
  type RegistryScore,
  scoreRegistryTest,
} from '../../../support/registry-tests';

/** Tests whose typed data does not match its own types, which Keystead refuses to sign. */
const REFUSED = /typedData\.domain\.version: is missing/u;

async function scoreOf(files: readonly RegistryFile[]) {
  const total: RegistryScore = { intent: 0, intents: 0, labels: 0, values: 0, fields: 0 };
  const missing: string[] = [];
  const silenced: string[] = [];
  for (const file of files) {
    for (const test of file.tests) {
      const name = `${file.file} ${test.description}`;
      const explain = (described: boolean) =>
        explainRegistryTest(file, test, described).catch((error: Error) => {
          if (!REFUSED.test(error.message)) throw error;
          return undefined;
        });
      const [explanation, without] = [await explain(true), await explain(false)];
      if (explanation !== undefined) expectExplained(`ERC-7730: ${name}`, explanation);
      const codes = explanation?.dangers.map(({ code }) => code) ?? [];
      silenced.push(
        ...(without?.dangers ?? []).filter(({ code }) => !codes.includes(code)).map(({ code }) => `${name}: ${code}`),
      );
      const { missing: parts, ...score } = scoreRegistryTest(file, test, explanation);
      missing.push(...parts.map((part) => `${name}: ${part}`));
      for (const key of Object.keys(total) as (keyof RegistryScore)[]) total[key] += score[key];
    }
  }
  const percent = (part: number, whole: number): number => (100 * part) / whole;
  return {
    intents: percent(total.intent, total.intents),
    labels: percent(total.labels, total.fields),
    values: percent(total.values, total.fields),
    tests: total.intents,
    fields: total.fields,
    missing,
    silenced,
  };
}

describe('rendering tests of the ERC-7730 registry, with their facts as the node’s answers', () => {
  it('show enough, and silence no danger', async () => {
    const { intents, labels, values, tests, fields, missing, silenced } = await scoreOf(registryFiles());
    const shown = (name: string, value: number): string => `${name} ${value.toFixed(1)} %`;
    process.stdout.write(
      `ERC-7730, ${tests} tests, ${fields} fields: ${shown('intents', intents)}, ${shown('labels', labels)}, ${shown('values', values)}\n`,
    );
    if (process.env['ERC7730_MISSING'] !== undefined) process.stdout.write(`${missing.join('\n')}\n`);
    expect(silenced).toEqual([]);
    expect(intents).toBeGreaterThanOrEqual(98);
    expect(labels).toBeGreaterThanOrEqual(98);
    expect(values).toBeGreaterThanOrEqual(97);
  });
});
