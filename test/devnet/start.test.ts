import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Hex, keccak256 } from 'viem';

import { isBundlerInstalled } from '../../src/devnet/bundler';
import { type DevnetDescription } from '../../src/devnet/companion-server';
import { portHolder } from '../../src/devnet/port-holder';
import { PORT_COUNT, portsFrom } from '../../src/devnet/ports';
import { DELEGATE_CODE_HASHES, DELEGATE_VERSIONS, DELEGATES } from '../../src/core/erc4337/delegates';
import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { openSocket } from '../support/service/socket';
import { describeNightly } from '../support/nightly';
import { cleanUp, freePortBase, npmStart, npmStartWith, type NpmStart } from '../support/devnet/npm-start';

const READY = /Keystead page {2}(http:\/\/localhost:\d+\/)[\s\S]*Press Ctrl-C to stop.*\n/u;
const ADDRESS = `0x${'12'.repeat(20)}`;
const TEN_ETHER = '0x8ac7230489e80000';
const isLinux = process.platform === 'linux';

jest.setTimeout(300_000);

/** Waits until all its processes have ended, the last ones shortly after npm, and expects no temporary files. */
async function expectNothingLeft({ processes, temporaryFiles }: NpmStart): Promise<void> {
  if (isLinux) while (processes().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(temporaryFiles()).toEqual([]);
}

async function describedAt(base: number): Promise<DevnetDescription> {
  return (await (await fetch(`http://localhost:${base}/devnet.json`)).json()) as DevnetDescription;
}

type Answer = { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };

async function rpc(url: string, method: string, params: unknown[] = []): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'null' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  return (await response.json()) as Answer;
}

async function askFaucet(base: number, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`http://localhost:${base}/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

/** Calls the storage service as a page or a snap does. */
async function storage(
  { url, key, secret }: DevnetDescription['storage'],
  path: string,
  origin: string,
  body?: FormData,
) {
  const response = await fetch(`${url}/api/v0/${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${key}:${secret}`)}`, origin },
    ...(body && { body }),
  });
  expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  return response.text();
}

/** The status of a request with another Host header, as in a DNS rebinding attack. */
function statusForHost(port: number, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

/** The bundler is reached through the chain's address. */
async function expectBundler(chain: DevnetDescription['chain']): Promise<void> {
  expect(chain.bundlerUrl).toBe(chain.rpcUrl);
  const { result } = await rpc(chain.rpcUrl, 'eth_supportedEntryPoints');
  const lowerCase = (addresses: readonly string[]) => addresses.map((address) => address.toLowerCase()).sort();
  expect(lowerCase(result as string[])).toEqual(lowerCase(Object.values(chain.entryPoints)));
  // Its clients ask alto for its own gas price, through the same address.
  expect(await rpc(chain.rpcUrl, 'pimlico_getUserOperationGasPrice')).toMatchObject({ result: { fast: {} } });
}

let base: number;
beforeAll(async () => {
  base = await freePortBase();
});
afterEach(cleanUp);

describe('npm start', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'keystead-data-'));
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true });
  });
  const start = (...more: string[]) => npmStart('--port-base', String(base), ...more);

  const hasBundler = isBundlerInstalled();
  const unlessInstalled = hasBundler ? '' : ' (without the bundler, which is not installed; npm start installs it)';

  it(`serves everything on one screen, takes user operations, keeps it in --data-dir, and leaves nothing at Ctrl-C or when npm alone is interrupted in the background${unlessInstalled}`, async () => {
    const first = start(...(hasBundler ? [] : ['--no-bundler']), '--data-dir', dataDir);
    const [screen, page] = await first.until(READY);
    expect(page).toBe(`http://localhost:${base}/`);
    const devnet = await describedAt(base);
    const { chain, uncles, storage: files } = devnet;
    for (const text of [chain.rpcUrl, uncles.rpcUrl, files.url, files.key, files.secret, devnet.snapId, dataDir])
      expect(screen).toContain(text);

    // The page, the snap that allows this page, and the environment that snaps run in.
    expect(await (await fetch(page!)).text()).toContain('<title>Keystead</title>');
    const manifest = await (await fetch(`${devnet.snapUrl}snap.manifest.json`)).text();
    expect(manifest).toContain(`"http://localhost:${base}"`);
    const bundle = await (await fetch(`${devnet.snapUrl}bundle.js`)).text();
    expect(bundle).toContain(`"http://localhost:${base}"`);
    expect(bundle).not.toContain(`"http://localhost:8000"`);
    const executor = await fetch(devnet.executorUrl);
    expect(await executor.text()).toContain('<script');
    expect(new URL(devnet.executorUrl).origin).not.toBe(new URL(page!).origin);

    // The chain requires a key.
    expect(await rpc(chain.rpcUrl, 'eth_chainId')).toMatchObject({ result: '0x7a69' });
    expect(await rpc(chain.rpcUrl.replace(files.key, 'nobody'), 'eth_chainId')).toMatchObject({ error: { code: 401 } });
    const { ask, socket } = await openSocket(chain.rpcUrl.replace('http', 'ws').replace('/v3/', '/ws/v3/'));
    expect(await ask({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })).toMatchObject({
      result: expect.stringMatching(/^0x/u) as string,
    });
    socket.terminate();
    expect(chain.entryPoints).toEqual(ENTRY_POINTS);
    for (const address of Object.values(chain.entryPoints))
      expect(String((await rpc(chain.rpcUrl, 'eth_getCode', [address, 'latest'])).result).length).toBeGreaterThan(
        30_000,
      );
    for (const version of DELEGATE_VERSIONS) {
      const { result } = await rpc(chain.rpcUrl, 'eth_getCode', [DELEGATES[version], 'latest']);
      expect(String(result).length).toBeGreaterThan(5_000);
      if (version === '0.8') expect(keccak256(result as Hex)).toBe(DELEGATE_CODE_HASHES[version]);
    }
    if (hasBundler) await expectBundler(chain);
    const operation = { sender: ADDRESS, nonce: '0x0', callData: '0x' };
    expect(
      await rpc(chain.paymasterUrl, 'pm_getPaymasterData', [operation, chain.entryPoints['0.7'], '0x7a69', {}]),
    ).toMatchObject({ result: { paymaster: expect.stringMatching(/^0x/u) as string } });

    // A real uncle of the main chain.
    const { block, index } = uncles.example;
    const facts = JSON.parse(readFileSync(join(__dirname, '../service/data/uncles-facts.json'), 'utf8')) as {
      network: string;
      block: string;
      index: string;
      result: object;
    }[];
    const fact = facts.find((one) => one.network === 'mainnet' && one.block === block && one.index === index);
    expect((await rpc(uncles.rpcUrl, 'eth_getUncleByBlockNumberAndIndex', [block, index])).result).toEqual({
      ...fact?.result,
      totalDifficulty: null,
    });

    // The faucet works for pages of this machine only, which ask before they send JSON.
    const preflight = await fetch(`http://localhost:${base}/faucet`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'http://localhost:5173',
    ]);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    expect(await askFaucet(base, { address: ADDRESS }, { origin: `http://localhost:${base}` })).toEqual({
      status: 200,
      body: { balance: TEN_ETHER },
    });
    expect(await askFaucet(base, { address: ADDRESS }, { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
    });
    expect(await askFaucet(base, { address: ADDRESS }, { origin: 'null' })).toMatchObject({ status: 403 });
    expect(await askFaucet(base, { address: ADDRESS }, { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
    });
    for (const wrong of [{ address: '0x12' }, { address: 7 }, {}, null, 'x'])
      expect(await askFaucet(base, wrong)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^address: /u) as string },
      });
    // The network is for pages of this machine too, and has no key of the storage service.
    const network = async (origin?: string) => {
      const response = await fetch(`http://localhost:${base}/network.json`, { headers: { ...(origin && { origin }) } });
      return { mayRead: response.headers.get('access-control-allow-origin'), body: (await response.json()) as unknown };
    };
    const { chainId, name, rpcUrl, bundlerUrl, paymasterUrl } = devnet.chain;
    expect(await network('http://127.0.0.1:5173')).toEqual({
      mayRead: 'http://127.0.0.1:5173',
      body: { chainId, name, symbol: 'ETH', rpcUrl, ...(bundlerUrl && { bundlerUrl, paymasterUrl }) },
    });
    for (const other of [undefined, 'null', 'https://evil.example', 'http://localhost.evil.example'])
      expect(await network(other)).toMatchObject({ mayRead: null });
    expect(await statusForHost(base, '/network.json', `evil.example:${base}`)).toBe(403);
    expect(await statusForHost(base, '/devnet.json', `evil.example:${base}`)).toBe(403);
    expect(await statusForHost(base + 1, '/bundle.js', 'evil.example')).toBe(403);
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/%', '/nothing'])
      expect(await statusForHost(base, path, `localhost:${base}`)).toBe(404);

    // Files, from the page and from the snap.
    const form = new FormData();
    form.set('file', new Blob(['kept']), 'note.txt');
    const { Hash } = JSON.parse(await storage(files, 'add', 'null', form)) as { Hash: string };
    expect(await storage(files, `cat?arg=${Hash}`, `http://localhost:${base}`)).toBe('kept');

    // Nothing is reachable from other machines: a port bound to all addresses would also answer here.
    if (isLinux)
      for (let port = base; port < base + PORT_COUNT; port++) expect(await accepts('127.0.0.2', port)).toBe(false);

    // A second one on the same ports names the process that uses them.
    const second = start('--no-bundler');
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`Port ${base}, for the Keystead page, is in use`);
    if (isLinux) expect(second.output()).toMatch(/is in use by node \(process \d+\)/u);
    expect(second.output()).toContain('npm start -- --port-base');

    // A data directory that cannot be created is reported, even under /proc, where retrying could go on forever.
    if (isLinux) {
      const nowhere = npmStart('--no-bundler', '--port-base', String(await freePortBase()), '--data-dir', '/proc/x/y');
      expect(await nowhere.ended).toBe(1);
      expect(nowhere.output()).toContain('/proc/x/y: cannot create the directory (ENOENT at /proc/x)');
    }

    first.interrupt();
    await first.ended;
    expect(first.output()).toContain('Stopping.');
    await expectNothingLeft(first);

    // Without a bundler this time.
    const again = start('--no-bundler', '--data-dir', dataDir);
    await again.until(READY);
    const kept = await describedAt(base);
    const { bundlerUrl: _bundlerUrl, ...chainAlone } = chain;
    expect(kept).toEqual({ ...devnet, chain: chainAlone });
    expect(kept.chain).not.toHaveProperty('bundlerUrl');
    expect(await rpc(kept.chain.rpcUrl, 'eth_supportedEntryPoints')).toMatchObject({ error: { code: -32601 } });
    expect(await rpc(kept.chain.rpcUrl, 'eth_getBalance', [ADDRESS, 'latest'])).toMatchObject({ result: TEN_ETHER });
    expect(await storage(kept.storage, `cat?arg=${Hash}`, 'null')).toBe('kept');
    // As when npm alone is interrupted in the background.
    again.signalNpm('SIGINT');
    await expectNothingLeft(again);
  });

  it('answers Ctrl-C while it is still loading', async () => {
    const environment = { NODE_OPTIONS: `--import=${join(__dirname, '../support/devnet/never-loads.mjs')}` };
    const loading = npmStartWith(environment, '--port-base', String(base));
    await loading.until(/Keystead devnet/u);
    loading.interrupt();
    await loading.ended;
    expect(loading.output()).toContain('Stopping.');
    await expectNothingLeft(loading);
  });

  describeNightly('that is ended while it works', () => {
    it('stops the rest when a part dies, and says which and how', async () => {
      const devnet = start('--no-bundler');
      await devnet.until(READY);
      const holder = await portHolder(portsFrom(base).chain);
      const [, pid] = /^anvil \(process (\d+)\)$/u.exec(holder ?? '') ?? [];
      process.kill(Number(pid), 'SIGKILL');
      expect(await devnet.ended).toBe(1);
      expect(devnet.output()).toContain('Keystead stopped: The chain has stopped (signal SIGKILL).');
      await expectNothingLeft(devnet);
    });

    it('leaves nothing when it is interrupted while it starts', async () => {
      // On a busy machine a start may finish before it is interrupted, so several starts are tried.
      let isInterrupted = false;
      for (let left = 5; !isInterrupted && left > 0; left--) {
        const devnet = start('--no-bundler');
        await devnet.until(/ok {2}chain/u);
        devnet.interrupt();
        await devnet.ended;
        isInterrupted = !READY.test(devnet.output());
        await expectNothingLeft(devnet);
      }
      expect(isInterrupted).toBe(true);
    });

    it.each(['SIGTERM', 'SIGKILL'] as const)('ends when npm alone gets %s', async (signal) => {
      const devnet = start('--no-bundler');
      await devnet.until(/ok {2}chain/u);
      devnet.signalNpm(signal);
      await devnet.ended;
      await expectNothingLeft(devnet);
    });
  });

  it('runs the main job in the terminal with --once', async () => {
    const once = npmStart('--once');
    expect(await once.ended).toBe(0);
    for (const step of [
      'snap build',
      'snap server',
      'chain',
      'snap runtime',
      'keyring_createAccount',
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_signTransaction (legacy)',
      'eth_signTransaction (EIP-2930)',
      'eth_signTransaction (EIP-1559)',
    ])
      expect(once.output()).toContain(`  ok  ${step}`);
    expect(once.output()).toContain('Everything was signed by the snap and verified by code that is not ours.');
    await expectNothingLeft(once);
  });

  it('refuses what it does not understand, and shows what there is', async () => {
    const refused = npmStart('--nonsense');
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain("Unknown option '--nonsense'");
    expect(refused.output()).toContain('npm start -- --port-base 9000');
  });
});
