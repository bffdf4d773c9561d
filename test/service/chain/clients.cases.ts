import { JsonRpcProvider, WebSocketProvider } from 'ethers';
import { createPublicClient, createWalletClient, http, parseEther, webSocket } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { anvil as anvilChain } from 'viem/chains';
import Web3 from 'web3';

import { startAnvil } from '../../support/service/anvil';
import { testArchive } from '../../support/service/archive';
import { facts } from '../../support/service/facts';
import { dataFile } from '../../support/service/folder';
import { startService, type TestService } from '../../support/service/service';

const NUMBER = 'eth_getUncleByBlockNumberAndIndex';
const HASH = 'eth_getUncleByBlockHashAndIndex';

/** The London uncle of block 34 of the execution-apis chain. */
const fact = facts.find(({ network, block }) => network.startsWith('hivechain') && Number(block) === 34)!;
const uncle: Record<string, unknown> = { ...fact.result, totalDifficulty: null };

const CHAIN_ID = 7357;

async function hivechain(): Promise<TestService & { httpUrl: string }> {
  const archive = testArchive('hivechain');
  await archive.import(dataFile('hivechain.rlp'));
  const networks = [{ name: 'hivechain', chainId: CHAIN_ID, lastPowBlock: 35 }];
  const service = await startService({ networks }, { dataDir: archive.dataDir });
  return { ...service, httpUrl: `${service.url}/v3/${service.key.key}` };
}

describe('viem', () => {
  test.each([
    ['HTTP', (service: { httpUrl: string }) => http(service.httpUrl, { retryCount: 0 })],
    ['HTTP in batches', (service: { httpUrl: string }) => http(service.httpUrl, { batch: true, retryCount: 0 })],
    ['WebSocket', (service: { wsUrl: string }) => webSocket(service.wsUrl, { retryCount: 0, reconnect: false })],
  ])('request over %s', async (_, transport) => {
    const service = await hivechain();
    const client = createPublicClient({ transport: transport(service) });
    const [byNumber, byHash, none, chainId] = await Promise.all([
      client.request({ method: NUMBER, params: ['0x22', '0x0'] }),
      client.request({ method: HASH, params: [fact.blockHash as `0x${string}`, '0x0'] }),
      client.request({ method: NUMBER, params: ['0x22', '0x5'] }),
      client.getChainId(),
    ]);
    expect([byNumber, byHash, none, chainId]).toEqual([uncle, uncle, null, CHAIN_ID]);
    await expect(client.request({ method: NUMBER, params: ['0x022', '0x0'] })).rejects.toThrow(
      'hex number with leading zero digits',
    );
    const connection = client.transport as { getRpcClient?: () => Promise<{ close: () => void }> };
    (await connection.getRpcClient?.())?.close();
  });

  test('the error for insufficient credits reaches the caller', async () => {
    const service = await startService({}, { dailyCredits: 100 });
    const client = createPublicClient({ transport: http(`${service.url}/v3/${service.key.key}`, { retryCount: 0 }) });
    await expect(client.request({ method: NUMBER, params: ['0x0', '0x0'] })).rejects.toThrow(/402|Payment Required/);
  });
});

describe('ethers', () => {
  test('send over HTTP and WebSocket', async () => {
    const service = await hivechain();
    for (const provider of [new JsonRpcProvider(service.httpUrl), new WebSocketProvider(service.wsUrl)]) {
      expect(await provider.send(NUMBER, ['0x22', '0x0'])).toEqual(uncle);
      expect(await provider.send(HASH, [fact.blockHash, '0x0'])).toEqual(uncle);
      expect(await provider.send(NUMBER, ['0x22', '0x1'])).toBeNull();
      expect((await provider.getNetwork()).chainId).toBe(BigInt(CHAIN_ID));
      await provider.destroy();
    }
  });
});

describe('web3.js', () => {
  test.each([['HTTP', 'httpUrl'] as const, ['WebSocket', 'wsUrl'] as const])('getUncle over %s', async (_, address) => {
    const service = await hivechain();
    const web3 = new Web3(service[address]);
    expect(await web3.eth.getUncle(34, 0)).toMatchObject({
      hash: uncle['hash'],
      number: BigInt(uncle['number'] as string),
      size: BigInt(uncle['size'] as string),
      baseFeePerGas: BigInt(uncle['baseFeePerGas'] as string),
      mixHash: uncle['mixHash'],
    });
    expect(await web3.eth.getUncle(fact.blockHash!, 0)).toMatchObject({ hash: uncle['hash'] });
    expect(await web3.eth.getUncle(34, 3)).toBeFalsy();
    expect(await web3.eth.getBlockUncleCount(34)).toBe(1n);
    if (address === 'wsUrl') (web3.provider as unknown as { disconnect: () => void }).disconnect();
  });
});

test(`a wallet needs one address: transactions and reads through anvil`, async () => {
  const anvil = await startAnvil();
  const networks = [{ name: 'devnet', chainId: anvilChain.id, upstream: { url: anvil.url } }];
  const service = await startService({ networks });
  const transport = http(`${service.url}/v3/${service.key.key}`, { retryCount: 0 });
  const client = createPublicClient({ chain: anvilChain, transport });
  const wallet = createWalletClient({ chain: anvilChain, transport, account: privateKeyToAccount(anvil.privateKey) });
  const to = privateKeyToAccount(generatePrivateKey()).address;
  const hash = await wallet.sendTransaction({ to, value: parseEther('1') });
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  expect(receipt.status).toBe('success');
  expect(await client.getBalance({ address: to })).toBe(parseEther('1'));

  // anvil answers unknown blocks with errors, and accepts invalid parameters.
  expect(await client.request({ method: NUMBER, params: ['latest', '0x0'] })).toBeNull();
  expect(await client.request({ method: NUMBER, params: ['0x1', '0x0'] })).toBeNull();
  expect(await client.request({ method: NUMBER, params: ['0x29c', '0x0'] })).toBeNull();
  expect(await client.request({ method: HASH, params: [receipt.blockHash, '0x0'] })).toBeNull();
  expect(await client.request({ method: HASH, params: [`0x${'12'.repeat(32)}`, '0x0'] })).toBeNull();
  expect(await service.call(NUMBER, '0x29c', 0)).toMatchObject({ error: { code: -32602 } });
  expect(await service.call('eth_getUncleCountByBlockNumber', 'latest')).toMatchObject({ result: '0x0' });
});
