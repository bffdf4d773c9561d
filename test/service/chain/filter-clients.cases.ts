import { JsonRpcProvider, type Log } from 'ethers';
import { createPublicClient, createWalletClient, http, webSocket, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { anvil as anvilChain } from 'viem/chains';

import { startAnvil } from '../../support/service/anvil';
import { startService, type TestService } from '../../support/service/service';

/** Runtime code that writes an empty log: PUSH1 0, PUSH1 0, LOG0, STOP. */
const LOGGING_CODE = '0x60006000a000';
const LOGGER = `0x${'10'.repeat(20)}` as const;

/** Resolves once the service has answered so many requests for the method with a result. */
async function answered({ metrics }: TestService, method: string, count: number): Promise<void> {
  const counter = new RegExp(`requests_total\\{[^}]*method="${method}"[^}]*outcome="ok"[^}]*\\} (\\d+)`, 'u');
  while (Number(counter.exec(await metrics())?.[1] ?? 0) < count) await new Promise(setImmediate);
}

/** ethers does not say when its last request is answered. */
class CountingProvider extends JsonRpcProvider {
  pending = 0;

  override async _send(payload: Parameters<JsonRpcProvider['_send']>[0]): ReturnType<JsonRpcProvider['_send']> {
    this.pending += 1;
    try {
      return await super._send(payload);
    } finally {
      this.pending -= 1;
    }
  }
}

async function devnet() {
  const { url, privateKey } = await startAnvil();
  const service = await startService({ networks: [{ name: 'devnet', chainId: anvilChain.id, upstream: { url } }] });
  const account = privateKeyToAccount(privateKey);
  const wallet = createWalletClient({ account, chain: anvilChain, transport: http(url) });
  const node = createPublicClient({ chain: anvilChain, transport: http(url) });
  await node.request({ method: 'anvil_setCode' as never, params: [LOGGER, LOGGING_CODE] as never });
  /** anvil mines each transaction in a block of its own. */
  const mine = async (to: Hex = LOGGER) => {
    const hash = await wallet.sendTransaction({ to, gas: 100_000n });
    for (;;) {
      const receipt = await node.getTransactionReceipt({ hash }).catch(() => undefined);
      if (receipt) return receipt;
    }
  };
  return { service, mine, httpUrl: `${service.url}/v3/${service.key.key}` };
}

test.each([
  ['HTTP', ({ httpUrl }: { httpUrl: string }) => http(httpUrl, { retryCount: 0 })],
  [
    'WebSocket',
    ({ service }: { service: { wsUrl: string } }) => webSocket(service.wsUrl, { retryCount: 0, reconnect: false }),
  ],
])('viem makes, reads and ends filters over %s', async (_, transport) => {
  const chain = await devnet();
  const client = createPublicClient({ chain: anvilChain, transport: transport(chain) });
  const events = await client.createEventFilter({ address: LOGGER, fromBlock: 0n });
  const others = await client.createEventFilter({ address: `0x${'20'.repeat(20)}` });
  const blocks = await client.createBlockFilter();
  const pending = await client.createPendingTransactionFilter();
  const { blockHash, transactionHash } = await chain.mine();
  const hashes: Hex[] = [];
  while (hashes.length < 1) hashes.push(...(await client.getFilterChanges({ filter: blocks })));
  expect(hashes).toEqual([blockHash]);
  expect(await client.getFilterChanges({ filter: events })).toMatchObject([{ address: LOGGER, transactionHash }]);
  expect(await client.getFilterChanges({ filter: others })).toEqual([]);
  expect(await client.getFilterChanges({ filter: pending })).toEqual([transactionHash]);
  expect(await client.getFilterChanges({ filter: events })).toEqual([]);
  expect(await client.getFilterLogs({ filter: events })).toMatchObject([{ address: LOGGER, blockHash }]);
  for (const filter of [events, others, blocks, pending]) expect(await client.uninstallFilter({ filter })).toBe(true);
  await expect(client.getFilterChanges({ filter: events })).rejects.toThrow('filter not found');
  const connection = client.transport as { getRpcClient?: () => Promise<{ close: () => void }> };
  (await connection.getRpcClient?.())?.close();
});

test('viem polls for events, and makes a new filter when the service has none of the old one', async () => {
  const { service, mine, httpUrl } = await devnet();
  const client = createPublicClient({ chain: anvilChain, transport: http(httpUrl), pollingInterval: 20 });
  const logs: Hex[] = [];
  const errors: Error[] = [];
  let changed: () => void = () => undefined;
  const unwatch = client.watchEvent({
    address: LOGGER,
    onLogs: (found) => {
      logs.push(...found.map(({ transactionHash }) => transactionHash));
      changed();
    },
    onError: (error) => {
      errors.push(error);
      changed();
    },
  });
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((resolve) => (changed = resolve));
  };
  await answered(service, 'eth_newFilter', 1);
  const { transactionHash: first } = await mine();
  await until(() => logs.length > 0);
  // A change of the key ends its filters.
  await service.keys.edit(service.key.key, { limits: { networks: ['devnet'] } });
  await until(() => errors.length > 0);
  expect(errors[0]!.message).toContain('filter not found');
  await answered(service, 'eth_newFilter', 2);
  const { transactionHash: second } = await mine();
  await until(() => logs.length > 1);
  unwatch();
  // Until it has an answer to this, viem goes on polling.
  await answered(service, 'eth_uninstallFilter', 1);
  expect(logs).toEqual([first, second]);
});

test('ethers polls filters for events and pending transactions, and ends them', async () => {
  const { service, mine, httpUrl } = await devnet();
  const provider = new CountingProvider(httpUrl, anvilChain.id, { staticNetwork: true, pollingInterval: 20 });
  const log = new Promise<Log>((resolve) => void provider.on({ address: LOGGER }, resolve));
  const pending = new Promise<string>((resolve) => void provider.on('pending', resolve));
  for (const method of ['eth_newFilter', 'eth_newPendingTransactionFilter']) await answered(service, method, 1);
  // A block is new to ethers once it has seen one before.
  await answered(service, 'eth_blockNumber', 2);
  const { transactionHash } = await mine();
  // ethers asks for changes with each new block that it sees.
  const seen = await Promise.all([log, pending]);
  expect([seen[0].transactionHash, seen[1]]).toEqual([transactionHash, transactionHash]);
  await provider.removeAllListeners();
  await answered(service, 'eth_uninstallFilter', 2);
  while (provider.pending > 0) await new Promise(setImmediate);
  provider.destroy();
});
