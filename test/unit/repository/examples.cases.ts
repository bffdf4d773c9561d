import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type DocumentedExport, exportsOf, runExample } from '../../support/examples';
import { IS_NIGHTLY } from '../../support/nightly';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { startStorageProcess, type StorageProcess } from '../../support/storage-process';
import { compileErrorsOf, usesType } from '../../support/compiled-examples';

const SPONSOR = {
  paymaster: '0x00000000000000000000000000000000000000aa',
  paymasterData: '0x1234',
  paymasterVerificationGasLimit: '0x10000',
  paymasterPostOpGasLimit: '0x1000',
};

const found = exportsOf(['src/clients/index.ts', 'src/provider/index.ts', 'src/testing/index.ts']);
const nameOf = ({ file, name }: DocumentedExport): string => `${file}: ${name}`;

const realFetch = globalThis.fetch;
let node: SimulatedNode;
let storage: StorageProcess;
beforeAll(async () => {
  storage = await startStorageProcess({ key: '<API_KEY>', secret: '<SECRET>' });
  node = await startSimulatedNode({
    eth_getBalance: () => '0xde0b6b3a7640000',
    eth_getUserOperationReceipt: () => null,
    eth_getUserOperationByHash: () => null,
    pm_getPaymasterStubData: () => SPONSOR,
  });
  // The services that examples name are here.
  globalThis.fetch = (input, init) => {
    const { hostname, pathname, search } = new URL(input as string);
    if (hostname === 'storage.example') return realFetch(`${storage.url}${pathname}${search}`, init);
    return realFetch(hostname.endsWith('.example') ? node.url : input, init);
  };
});
afterAll(async () => {
  globalThis.fetch = realFetch;
  await Promise.all([node.stop(), storage.stop()]);
});

describe('the examples in the documentation of the published library', () => {
  it.each(['value', 'type'] as const)('exist for every %s', (kind) => {
    const all = found.filter((one) => one.kind === kind);
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter(({ examples }) => examples.length === 0).map(nameOf)).toEqual([]);
  });

  it('exist for nothing that is not published: a test says it better', () => {
    const published = new Set(found.map(({ file }) => file));
    const others = readdirSync(join(__dirname, '../../../src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /^(?!.*node_modules).*\.tsx?$/u.test(name))
      .map((name) => join('src', name))
      .filter((file) => !published.has(file));
    expect(others.length).toBeGreaterThan(500);
    const documented = others.filter((file) =>
      readFileSync(join(__dirname, '../../..', file), 'utf8').includes('@example'),
    );
    expect(documented).toEqual([]);
  });

  it('annotate a value with the type they are about', () => {
    const silent = found.filter(
      ({ kind, name, examples }) => kind === 'type' && !examples.every((code) => usesType(code, name)),
    );
    expect(silent.map(nameOf)).toEqual([]);
  });

  (IS_NIGHTLY ? it : it.skip)('compile, and a wrong one does not', () => {
    const wrong = {
      file: 'src/core/eth/bytes.ts',
      name: 'wrong',
      kind: 'type',
      examples: ["const hash: Hex = 'a';"],
    } as const;
    expect(compileErrorsOf([...found, wrong])).toEqual([
      "src/core/eth/bytes.ts: wrong: Type '\"a\"' is not assignable to type '`0x${string}`'.",
    ]);
  });

  it.each(
    found
      // A provider needs a page and a wallet, so its examples are only compiled.
      .filter(({ file }) => !file.startsWith('src/provider/'))
      .flatMap((one) => one.examples.map((code) => [nameOf(one), one, code] as const)),
  )('%s', async (_name, one, code) => {
    await runExample(one, code);
  });
});
