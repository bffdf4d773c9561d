import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { encodeFunctionData, parseAbi } from 'viem';

import { NodeClient } from '../../../../src/clients/node';
import { StorageClient } from '../../../../src/clients/storage';
import { type Anvil, startAnvil } from '../../../../src/devnet/anvil';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ServiceFailedError } from '../../../../src/core/errors';
import { explainAction } from '../../../../src/core/decode/explain/transaction';
import { contractLookUp, type FileSource } from '../../../../src/snap/explain/metadata/contracts';
import { metadataCid } from '../../../../src/snap/explain/metadata/metadata-cid';
import { ALICE, ME, NOW, saying } from '../../../support/explaining';
import { bundledLibrary } from '../../../support/contract-metadata';
import { startTestService, type TestService } from '../../../support/storage/service';

const { code, metadata } = JSON.parse(readFileSync(join(__dirname, '../data/solidity-metadata.json'), 'utf8')) as {
  code: Hex;
  metadata: string;
};

const CONTRACT: Hex = '0x00000000000000000000000000000000000c0de1';
const CHAIN = 31_337n;
const TIP = encodeFunctionData({
  abi: parseAbi(['function tip(string,(address,uint16)[],bytes4)']),
  args: ['for *you*\u202e', [[ALICE, 100]], '0xc0ffee00'],
});

/** The metadata of contracts, from the real storage service and a real node. */
describe("what a contract's developer published", () => {
  let service: TestService;
  let storage: StorageClient;
  let anvil: Anvil;
  let read: string[] = [];

  const rpc = async (method: string, params: readonly unknown[]): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await response.json()).not.toHaveProperty('error');
  };
  const files: FileSource = {
    read: (cid) => {
      read.push(cid);
      return storage.read(cid);
    },
  };
  const explainAt = (to: Hex, data: Hex, from: FileSource | null = files) =>
    bundledLibrary(
      contractLookUp({
        node: () => Promise.resolve(new NodeClient({ url: anvil.url })),
        files: () => Promise.resolve(from ?? undefined),
      }),
    ).complete(explainAction({ to, value: 0n, data, chainId: CHAIN }, { signer: ME, now: NOW }));

  beforeAll(async () => {
    [service, anvil] = await Promise.all([
      startTestService({
        authenticate: (key, secret) =>
          Promise.resolve(key === 'key' && secret === 'secret' ? { id: 'tenant' } : undefined),
      }),
      startAnvil(),
    ]);
    storage = new StorageClient({ url: service.url, key: 'key', secret: 'secret' });
    await storage.add(metadata);
    await rpc('anvil_setCode', [CONTRACT, code]);
  });
  beforeEach(() => {
    read = [];
  });
  afterAll(() => Promise.all([service.discard(), anvil.stop()]));

  test('is found by the CID at the end of its code', async () => {
    const { cid } = await storage.add(metadata);
    expect(metadataCid(code)).toBe(cid);
  });

  test('is shown with its names in quotation marks and our values', async () => {
    const { sections } = await explainAt(CONTRACT, TIP);
    expect(sections).toEqual([
      {
        title: "Call described by the contract's developer",
        lines: [
          { kind: 'quote', label: 'Contract', value: 'TipJar', source: "the contract's developer" },
          { kind: 'quote', label: 'Function', value: 'tip', source: "the contract's developer" },
          {
            kind: 'quote',
            label: 'Description',
            value: 'Puts a tip into the jar and shares it among the payees.',
            source: "the contract's developer",
          },
          { kind: 'quote', label: '“message”', value: 'for *you*\\u{202e}', source: 'the data' },
          { kind: 'address', label: '“parts[0].payee”', value: ALICE.toLowerCase() },
          { kind: 'text', label: '“parts[0].percent”', value: '100' },
          { kind: 'text', label: '“mark”', value: '0xc0ffee00' },
        ],
        sections: [],
      },
    ]);
    expect(read).toEqual([metadataCid(code)]);
  });

  const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
  const PROXY: Hex = '0x00000000000000000000000000000000000c0de2';
  const BEACON: Hex = '0x00000000000000000000000000000000000c0de3';
  test.each<[string, Hex, readonly (readonly [string, readonly unknown[]])[]]>([
    ['a minimal proxy (EIP-1167)', `0x363d3d373d3d3d363d73${CONTRACT.slice(2)}5af43d82803e903d91602b57fd5bf3`, []],
    ['a delegated account (EIP-7702)', `0xef0100${CONTRACT.slice(2)}`, []],
    [
      'a proxy (EIP-1967)',
      '0x00',
      [
        [
          'anvil_setStorageAt',
          [PROXY, '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc', word(CONTRACT)],
        ],
      ],
    ],
    [
      'a proxy of a beacon (EIP-1967)',
      '0x00',
      [
        [
          'anvil_setStorageAt',
          [PROXY, '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc', word('0x')],
        ],
        [
          'anvil_setStorageAt',
          [PROXY, '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50', word(BEACON)],
        ],
        // Answers every call with the implementation.
        ['anvil_setCode', [BEACON, `0x73${CONTRACT.slice(2)}60005260206000f3`]],
      ],
    ],
  ])('is found after %s', async (_name, proxyCode, settings) => {
    await rpc('anvil_setCode', [PROXY, proxyCode]);
    for (const [method, params] of settings) await rpc(method, params);
    expect(saying(await explainAt(PROXY, TIP))).toContain('Puts a tip into the jar');
  });

  test('is not asked for without a storage network, nor for what a rule of ours knows', async () => {
    expect(saying(await explainAt(CONTRACT, TIP, null))).not.toContain('Contract metadata: not available');
    const send = encodeFunctionData({ abi: parseAbi(['function transfer(address,uint256)']), args: [ALICE, 1n] });
    expect(saying(await explainAt(CONTRACT, send))).toContain('Send tokens');
    expect(read).toEqual([]);
  });

  test('is rejected if it does not match the CID', async () => {
    const lying = new StorageClient({
      url: service.url,
      key: 'key',
      secret: 'secret',
      fetch: async (input, init) => {
        const body = new Uint8Array(await (await fetch(input, init)).arrayBuffer());
        body[20] = (body[20] ?? 0) ^ 1;
        return new Response(body);
      },
    });
    const told = saying(await explainAt(CONTRACT, TIP, { read: (cid) => lying.read(cid) }));
    expect(told).toContain('Contract metadata: not available');
    expect(told).not.toContain('Puts a tip');
  });

  test.each<[string, FileSource['read'], string]>([
    [
      'is missing',
      () => Promise.reject(new ServiceFailedError('The storage service at files.example refused (HTTP 500).')),
      'Contract metadata: not available: The storage service at files.example refused (HTTP 500).',
    ],
    [
      'is not metadata',
      () => Promise.resolve(new TextEncoder().encode('{"output":{}}')),
      'Contract metadata: not available: the file is not contract metadata',
    ],
    [
      'is too large',
      () => Promise.resolve(new Uint8Array(1_000_001)),
      'Contract metadata: not available: the file is too large',
    ],
  ])('%s: the explanation says so, and does not decode the call', async (_name, readFile, says) => {
    const told = saying(await explainAt(CONTRACT, '0x0badc0de', { read: readFile }));
    expect(told).toContain(says);
    expect(told).toContain('Not decoded: 4 bytes');
  });
});
