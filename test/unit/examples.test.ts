import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { runExample, valueExportsOf } from '../helpers/examples';
import { type SimulatedNode, startSimulatedNode } from '../helpers/simulated-node';
import { startStorageProcess, type StorageProcess } from '../helpers/storage-process';

const SPONSOR = {
  paymaster: '0x00000000000000000000000000000000000000aa',
  paymasterData: '0x1234',
  paymasterVerificationGasLimit: '0x10000',
  paymasterPostOpGasLimit: '0x1000',
};

/** The modules of `src/core`. The examples of `keystead/provider` are compiled in test/package. */
const core = readdirSync(join(__dirname, '../../src/core'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src/core', name))
  .sort();
const found = valueExportsOf(['src/clients/index.ts', ...core]).filter(
  // What an index only passes on has its example where it is made.
  ({ file, name }, at, all) => all.findIndex((other) => other.file === file && other.name === name) === at,
);

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

describe('the examples in the documentation of core and of the published clients', () => {
  it('exist for everything that can be called or made', () => {
    expect(found.length).toBeGreaterThan(300);
    const missing = found.filter(({ examples }) => examples.length === 0);
    expect(missing.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  it.each(found.flatMap((one) => one.examples.map((code) => [`${one.file}: ${one.name}`, one, code] as const)))(
    '%s',
    async (_name, one, code) => {
      await runExample(one, code);
    },
  );
});
