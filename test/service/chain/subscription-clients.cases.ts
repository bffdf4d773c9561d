import { WebSocketProvider } from 'ethers';
import { createPublicClient, createWalletClient, http, webSocket, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { anvil as anvilChain } from 'viem/chains';
import Web3 from 'web3';

import { startAnvil } from '../../support/service/anvil';
import { startService } from '../../support/service/service';

/** Runtime code that writes an empty log: PUSH1 0, PUSH1 0, LOG0, STOP. */
const LOGGING_CODE = '0x60006000a000';
const LOGGER = `0x${'10'.repeat(20)}` as const;

async function devnet() {
  const { url, privateKey } = await startAnvil();
  const upstream = { url, wsUrl: url.replace('http', 'ws') };
  const networks = [{ name: 'devnet', chainId: anvilChain.id, upstream }];
  const service = await startService({ networks });
  const account = privateKeyToAccount(privateKey);
  const wallet = createWalletClient({ account, chain: anvilChain, transport: http(url) });
  const node = createPublicClient({ chain: anvilChain, transport: http(url) });
  await node.request({ method: 'anvil_setCode' as never, params: [LOGGER, LOGGING_CODE] as never });
  /** anvil mines each transaction in a block of its own. */
  const mine = (to: Hex = account.address) => wallet.sendTransaction({ to, gas: 100_000n });
  return { service, mine };
}

test('viem watches blocks, logs and pending transactions', async () => {
  const { service, mine } = await devnet();
  const client = createPublicClient({
    chain: anvilChain,
    transport: webSocket(service.wsUrl, { retryCount: 0, reconnect: false }),
  });
  const next = <Value>(watch: (got: (value: Value) => void, failed: (error: Error) => void) => () => void) =>
    new Promise<Value>((resolve, reject) => {
      watch(resolve, reject);
    });
  const block = next<bigint>((got, onError) => client.watchBlocks({ onBlock: ({ number }) => got(number), onError }));
  const number = next<bigint>((got, onError) => client.watchBlockNumber({ onBlockNumber: got, onError }));
  const event = next<Hex>((got, onError) =>
    client.watchEvent({ address: LOGGER, onLogs: ([log]) => got(log!.address), onError }),
  );
  const pending = next<Hex>((got, onError) =>
    client.watchPendingTransactions({ onTransactions: ([hash]) => got(hash!), onError }),
  );
  // Answered after the subscriptions before it.
  const socket = await client.transport.getRpcClient();
  while (!(await service.metrics()).includes('subscriptions{network="devnet",kind="newPendingTransactions"} 1'))
    await client.getChainId();
  const hash = await mine(LOGGER);
  expect(await Promise.all([block, number, event, pending])).toEqual([1n, 1n, LOGGER, hash]);
  socket.close();
});

test('ethers watches blocks and logs', async () => {
  const { service, mine } = await devnet();
  const provider = new WebSocketProvider(service.wsUrl);
  const block = new Promise((resolve) => void provider.on('block', resolve));
  const log = new Promise((resolve) => {
    void provider.on({ address: LOGGER }, ({ address }: { address: string }) => {
      resolve(address);
    });
  });
  for (const kind of ['newHeads', 'logs'])
    while (!(await service.metrics()).includes(`subscriptions{network="devnet",kind="${kind}"} 1`))
      await provider.send('eth_chainId', []);
  await mine(LOGGER);
  expect(await Promise.all([block, log])).toEqual([1, LOGGER]);
  await provider.destroy();
});

test('web3.js subscribes to blocks and logs, and unsubscribes', async () => {
  const { service, mine } = await devnet();
  const web3 = new Web3(service.wsUrl);
  const heads = await web3.eth.subscribe('newHeads');
  const logs = await web3.eth.subscribe('logs', { address: LOGGER });
  const block = new Promise((resolve) => {
    heads.on('data', ({ number }) => {
      resolve(number);
    });
  });
  const log = new Promise((resolve) => {
    logs.on('data', ({ address }) => {
      resolve(address);
    });
  });
  await mine(LOGGER);
  expect(await Promise.all([block, log])).toEqual([1n, expect.stringMatching(new RegExp(LOGGER, 'iu'))]);
  await heads.unsubscribe();
  expect(await service.metrics()).toContain('subscriptions{network="devnet",kind="newHeads"} 0');
  web3.provider?.disconnect();
});
