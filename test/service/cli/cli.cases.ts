import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { lockForProcess } from '../../../src/service/runtime/process-lock';
import { testNightly } from '../../support/nightly';
import { filesIn, testArchive } from '../../support/service/archive';
import { makeChain, type TestBlock } from '../../support/service/chain';
import { runCli, runCommand, startCli } from '../../support/service/cli';
import { era1File } from '../../support/service/era1-writer';
import { expectBlocks } from '../../support/service/expect-archive';
import { dataFile, makeFolder, writeFile } from '../../support/service/folder';
import { untilOutput } from '../../support/service/until-output';

/** Each test runs the program several times, and each start may take seconds on a busy machine. */
jest.setTimeout(300_000);

test('keys: create, list, revoke', async () => {
  const dataDir = makeFolder();
  const created = await runCli(dataDir, ['keys', 'create', '--name', 'mine', '--credits', '300', '--json']);
  expect(created.code).toBe(0);
  const { key, secret } = created.json.at(-1) as { key: string; secret: string };
  expect(created.stdout.trim().split('\n').at(-1)).toBe(JSON.stringify({ key, secret }));

  const listed = await runCli(dataDir, ['keys', 'list']);
  expect(listed.stdout).toMatch(new RegExp(`${key}  mine  .*  300 +active`, 'u'));
  expect(listed.stdout).not.toContain(secret);

  expect(await runCli(dataDir, ['keys', 'revoke', key, '--json'])).toMatchObject({
    code: 0,
    json: [{ revoked: true }],
  });
  expect(await runCli(dataDir, ['keys', 'revoke', key])).toMatchObject({ code: 1 });
  expect((await runCli(dataDir, ['keys', 'list', '--json'])).json[0]).toMatchObject({
    keys: [{ key, name: 'mine', dailyCredits: 300, revokedAt: expect.any(String) as string }],
  });
});

test('keys: what a key may do is set, changed and replaced, and never guessed', async () => {
  const dataDir = makeFolder();
  const keys = (...args: string[]) => runCommand(dataDir, ['keys', ...args]);
  for (const [option, value, why] of [
    ['--methods', 'eth_call,eth call', /"eth call": not the name of a method/u],
    ['--addresses', '0x12', /use 0x and 40 hex digits/u],
    ['--origins', 'https://a.example/path', /use a host/u],
    ['--storage', 'read,delete', /"delete": use read, write or pin/u],
    ['--requests-per-day', '0', /whole number from 1/u],
    ['--until', 'tomorrow', /Give a day/u],
    ['--methods', 'eth_call,eth_getLog', /--methods: eth_getLog is not a method .*\(did you mean eth_getLogs\?\)/u],
    ['--methods', 'eth_Call', /--methods: eth_Call is not a method/u],
    ['--networks', 'mainet', /--networks: mainet is not a network of the service \(mainnet\).* --config/u],
  ] as const) {
    const { code, stderr } = await keys('create', option, value);
    expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
  }
  expect((await keys('list', '--json')).json).toEqual([{ keys: [] }]);

  const limits = ['--methods', 'eth_call', '--addresses', `0x${'AB'.repeat(20)}`, '--until', '2100-01-31'];
  const created = await keys('create', '--credits', '100', ...limits, '--json');
  expect(created.stderr).toBe('warning: one uncle look-up costs 150 credits, and this key has 100 a day\n');
  const { key, secret } = created.json.at(-1) as { key: string; secret: string };
  expect(
    (await keys('edit', key, '--methods', 'any', '--storage', 'none', '--credits', '300', '--json')).json,
  ).toMatchObject([
    {
      key,
      dailyCredits: 300,
      limits: { addresses: [`0x${'ab'.repeat(20)}`], storage: [] },
      endsAt: Date.UTC(2100, 0, 31),
    },
  ]);
  for (const [option, value] of [
    ['--networks', 'sepolia'],
    ['--methods', 'toString'],
  ] as const)
    expect((await keys('edit', key, option, value)).stderr).toContain(`${option}: ${value} is not a`);
  const [renewed] = (await keys('rotate', key, '--new-key', '--keep', '0s', '--json')).json;
  expect(renewed).toMatchObject({ key: expect.not.stringContaining(key) as string });
  expect(renewed?.['secret']).not.toBe(secret);
  const { stdout } = await keys('list');
  expect(stdout).toMatch(new RegExp(`${key} .* ended 20`, 'u'));
  expect(stdout).toMatch(
    new RegExp(`${String(renewed?.['key'])} .* active until 2100-01-31.* addresses 0xab.*; storage none`, 'u'),
  );
  expect(await keys('rotate', key)).toMatchObject({
    code: 1,
    stderr: 'error: there is no such key, or it is revoked or has ended\n',
  });
});

test('keys usage: what a key has used in both services, while they run and after they stopped', async () => {
  const dataDir = makeFolder();
  const service = startCli(dataDir, ['serve', '--json', '--rpc-port', '0', '--storage-port', '0']);
  const [line] = await untilOutput(service, /^\{.*\}\n/mu);
  const { key, secret, addresses } = JSON.parse(line) as { key: string; secret: string; addresses: { url: string }[] };
  const [rpc, storage] = addresses.map(({ url }) => url);
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
  await fetch(`${rpc}/v3/${key}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const form = new FormData();
  form.append('file', new Blob(['x'.repeat(1000)]), 'f');
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const add = { method: 'POST', headers: { authorization }, body: form };
  await (await fetch(`${storage}/api/v0/add`, add)).text();
  expect((await runCli(dataDir, ['keys', 'usage', '--json'])).json).toMatchObject([{ keys: [{ key, name: 'first' }] }]);
  const ended = once(service, 'exit');
  service.kill('SIGINT');
  await ended;
  const [report = {}] = (await runCli(dataDir, ['keys', 'usage', key, '--json'])).json;
  expect(report).toMatchObject({
    key,
    name: 'first',
    credits: { used: 5, daily: 3_000_000 },
    lastSeen: expect.stringMatching(/^\d{4}-/u) as string,
    pins: { count: 1, bytes: expect.any(Number) as number },
    methods: { add: { requests: 1, credits: 0 }, eth_chainId: { requests: 1, credits: 5 } },
    refused: {},
  });
  const [day] = report['days'] as { receivedBytes: number; sentBytes: number }[];
  expect(day?.receivedBytes).toBeGreaterThan(1000);
  expect(day?.sentBytes).toBeGreaterThan(100);
  expect((await runCli(dataDir, ['keys', 'usage', key])).stdout).toMatch(/eth_chainId +1 +5/u);
  expect(await runCli(dataDir, ['keys', 'usage', 'nobody'])).toMatchObject({
    code: 1,
    stderr: 'error: there is no such key\n',
  });
});

test('archive: import, status and verify', async () => {
  const dataDir = makeFolder();
  const network = ['--network', 'hivechain'];
  expect(await runCli(dataDir, ['archive', 'status', ...network])).toMatchObject({
    code: 1,
    stderr: 'error: hivechain: no archive for this network yet; create one with keystead archive import\n',
  });
  const broken = writeFile('broken.era1', 'not an archive');
  const imported = await runCli(dataDir, [
    'archive',
    'import',
    dataFile('hivechain.rlp'),
    broken,
    ...network,
    '--json',
  ]);
  expect(imported.code).toBe(1);
  expect(imported.json).toMatchObject([
    { file: 'broken.era1', outcome: 'refused' },
    { file: 'hivechain.rlp', outcome: 'imported', blocks: 54, uncles: 18 },
    { blocks: 54, uncles: 18 },
  ]);
  const evil = writeFile('\u001b[2J\u202e\n.era1', 'not an archive');
  const shown = await runCli(dataDir, ['archive', 'import', evil, ...network]);
  expect(shown.stdout + shown.stderr).toContain('\\u001b[2J\\u202e\\n.era1: refused: ');
  for (const raw of ['\u001b', '\u202e']) expect(shown.stdout + shown.stderr).not.toContain(raw);
  const status = await runCli(dataDir, ['archive', 'status', ...network]);
  expect(status).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Blocks +54\nUncles +18\nCovered +1-54\n/u) as string,
  });
  expect(await runCli(dataDir, ['archive', 'verify', ...network, '--json'])).toMatchObject({
    code: 0,
    json: [{ segments: 1, blocks: 54, uncles: 18, problems: [] }],
  });
  const dir = join(dataDir, 'archive', 'hivechain');
  for (const name of ['0000000000-0000000000.uncles', '0000000060-0000000070.uncles']) writeFile(name, 'hello', dir);
  expect(await runCli(dataDir, ['archive', 'verify', ...network])).toMatchObject({
    code: 1,
    stdout: [
      '54 blocks and 18 uncles in 3 segments',
      'problem: 0000000000-0000000000.uncles: damaged: the file ends early',
      'problem: 0000000060-0000000070.uncles: damaged: the file ends early',
      'Verification failed.\n',
    ].join('\n'),
    stderr: '',
  });
});

test('a checksum list reaches the worker processes', async () => {
  const content = era1File(makeChain({ length: 3 }));
  const [good, other] = [writeFile('good.era1', content), writeFile('other.era1', content)];
  const digest = createHash('sha256').update(content).digest('hex');
  const list = writeFile('list', `${digest}  good.era1\n`);
  const args = ['archive', 'import', good, other, '--network', 'testnet', '--jobs', '2', '--checksums', list, '--json'];
  expect((await runCli(makeFolder(), args)).json).toMatchObject([
    { file: 'good.era1', outcome: 'imported', blocks: 3 },
    { file: 'other.era1', outcome: 'refused', reason: 'not in the checksum list list' },
    { blocks: 3 },
  ]);
});

test('a killed import continues where it stopped, on several cores', async () => {
  const { dataDir, dir, open } = testArchive('testnet');
  const folder = makeFolder();
  const chain: TestBlock[] = [];
  for (let i = 0; i < 16; i++) {
    const part = makeChain({ length: 250, ...(chain.length > 0 ? { after: chain.at(-1)! } : {}) });
    chain.push(...part);
    writeFile(`part-${String(i).padStart(2, '0')}.era1`, era1File(part), folder);
  }
  const args = ['archive', 'import', folder, '--network', 'testnet', '--jobs', '2', '--json'];
  const killed = startCli(dataDir, args);
  // Its workers share its stderr, so this resolves after the last of them has ended.
  const ended = once(killed, 'close');
  await untilOutput(killed, /"outcome":"imported"/u);
  killed.kill('SIGKILL');
  await ended;

  const partial = await open();
  expectBlocks(partial, chain.slice(0, 250), 'known');
  partial.close();
  const again = await runCli(dataDir, args);
  expect(again.code).toBe(0);
  expect(again.json[0]).toMatchObject({ file: 'part-00.era1', outcome: 'held' });
  expect(again.json).toHaveLength(17);
  expect(filesIn(dir)).toHaveLength(16);
  const whole = await open();
  expect(whole.covered).toEqual([{ start: 0, end: 3999 }]);
  expectBlocks(whole, chain.slice(200, 800), 'known');
  whole.close();
});

describe('serve', () => {
  const post = (url: string, key: string, method: string, ...params: unknown[]) =>
    fetch(`${url}/v3/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }).then(async (response) => ((await response.json()) as { result: unknown }).result);

  test('without a configuration: a local service with one key, shown once; SIGTERM stops it cleanly', async () => {
    const dataDir = makeFolder();
    const first = startCli(dataDir, ['serve', '--rpc-port', '0', '--storage-port', '0', '--json']);
    const [line] = await untilOutput(first, /^\{.*\}\n/mu);
    const { key, secret, addresses } = JSON.parse(line) as {
      key: string;
      secret: string;
      addresses: { label: string; url: string }[];
    };
    expect(secret).toBeDefined();
    expect(addresses).toMatchObject([
      { label: 'RPC', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/u) as string },
      { label: 'Storage', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/u) as string },
      { label: 'Operations', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/u) as string },
    ]);
    const storage = (path: string, password: string) =>
      fetch(`${addresses[1]!.url}/api/v0/${path}`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}` },
      });
    expect((await storage('version', 'wrong')).status).toBe(403);
    expect((await storage('version', secret)).status).toBe(200);
    expect(await runCli(dataDir, ['storage', 'stat'])).toMatchObject({ code: 1 });
    expect(await post(addresses[0]!.url, key, 'eth_chainId')).toBe('0x1');
    first.kill('SIGTERM');
    expect(await once(first, 'exit')).toEqual([0, null]);

    expect((await runCli(dataDir, ['storage', 'stat', '--json'])).json).toMatchObject([{ pins: 0 }]);
    expect((await runCli(dataDir, ['storage', 'verify'])).stdout).toContain('no problems');

    const second = startCli(dataDir, ['serve', '--rpc-port', '0', '--storage-port', '0']);
    const [text] = await untilOutput(second, /^RPC .*\n/mu);
    expect(text).not.toContain('ey');
    expect(await post(/http\S+/u.exec(text)![0], key, 'eth_chainId')).toBe('0x1');
  });

  test('with a configuration, and an archive that grows while it runs', async () => {
    const dataDir = makeFolder();
    const config = writeFile(
      'config.json',
      JSON.stringify({
        dataDir,
        rpc: { port: 0 },
        storage: { port: 0 },
        networks: [{ name: 'hivechain', chainId: 7, lastPowBlock: 35 }],
      }),
    );
    const service = startCli('/nowhere', ['serve', '--config', config, '--json']);
    const [line] = await untilOutput(service, /^\{.*\}\n/mu);
    const { key, addresses } = JSON.parse(line) as { key: string; addresses: { url: string }[] };
    const loaded = new Promise<void>((done) => {
      let log = '';
      service.stderr?.on('data', (data: Buffer) => {
        log += data.toString();
        if (log.includes('archive reloaded')) done();
      });
    });
    const importing = ['archive', 'import', dataFile('hivechain.rlp'), '--network', 'hivechain', '--config', config];
    expect(await runCli('/nowhere', importing)).toMatchObject({ code: 0 });
    await loaded;
    expect(await post(addresses[0]!.url, key, 'eth_getUncleByBlockNumberAndIndex', '0x3', '0x0')).toMatchObject({
      number: '0x2',
    });
  });

  test('a configuration error is reported in one line', async () => {
    const config = writeFile('config.json', '{"rpc":{"port":"x"}}');
    const { code, stderr } = await runCli(makeFolder(), ['serve', '--config', config]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: ${config}: rpc.port: Expected an integer, but got a string\n`,
    });
  });
});

test('a second process on the same files says so, in one line', async () => {
  const dataDir = makeFolder();
  mkdirSync(join(dataDir, 'storage'));
  const unlock = lockForProcess(join(dataDir, 'storage', 'lock.sqlite'), String);
  const second = await runCli(dataDir, ['serve', '--rpc-port', '0', '--storage-port', '0']);
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`^error: the data directory is in use by process ${process.pid} .*\n$`, 'u'),
    ) as string,
  });
  unlock();
});

test('a command whose output is closed exits quietly', async () => {
  const child = startCli(makeFolder(), ['keys', 'list']);
  child.stdout?.destroy();
  const said: Buffer[] = [];
  child.stderr?.on('data', (data: Buffer) => said.push(data));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, Buffer.concat(said).toString()]).toEqual([1, '']);
});

test('an empty variable or option does not mean the working directory', async () => {
  const home = makeFolder();
  jest.replaceProperty(process, 'env', { ...process.env, XDG_DATA_HOME: '', HOME: home });
  expect(await runCli('', ['keys', 'create'])).toMatchObject({ code: 0 });
  expect(readdirSync(join(home, '.local', 'share', 'keystead'))).toContain('keys.sqlite');
  expect(await runCli(home, ['keys', 'list', '--data-dir', ''])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Give the path of a folder') as string,
  });
});

test('an unknown command or option, a missing argument and an invalid value are rejected with a pointer to the help', async () => {
  const dataDir = makeFolder();
  expect(await runCommand(dataDir, ['serv'])).toMatchObject({
    code: 1,
    stderr: "error: unknown command 'serv'\n(Did you mean serve?)\nSee: keystead --help\n",
  });
  expect(await runCommand(dataDir, ['keys', 'list', '--all'])).toMatchObject({
    code: 1,
    stderr: "error: unknown option '--all'\nSee: keystead keys list --help\n",
  });
  expect(await runCommand(dataDir, ['keys', 'revoke'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("missing required argument 'key'") as string,
  });
  for (const name of ['two\nlines', '\u001b[2J', '\u202e', 'x'.repeat(101)])
    expect(await runCommand(dataDir, ['keys', 'create', '--name', name])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Use at most 100 characters, without control characters') as string,
    });
  expect(await runCommand(dataDir, ['archive', 'status', '--network', '../x'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Use lower-case letters') as string,
  });
  expect((await runCommand(dataDir, ['--help'])).stdout).toContain('uncles from a verified archive, and file storage');
  expect((await runCommand(dataDir, ['keys', 'rotate', '--help'])).stdout).toContain('(default: 24h)');
});

testNightly('a clone of the repository runs the program and its import workers from source', async () => {
  const program = resolve(__dirname, '../../../bin/keystead.js');
  const args = ['archive', 'import', dataFile('hivechain.rlp'), '--network', 'hivechain', '--jobs', '2'];
  const outcome = await runCli(makeFolder(), args, program);
  expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('18 uncles') as string });
});

test('an import into a new archive warns about a name that looks like a typo', async () => {
  const dataDir = makeFolder();
  const config = writeFile('config.json', JSON.stringify({ networks: [{ name: 'hivechain', chainId: 1337 }] }));
  const importing = (...args: string[]) =>
    runCli(dataDir, ['archive', 'import', dataFile('hivechain.rlp'), '--jobs', '1', ...args]);
  const asked = (name: string, near: string) => ({
    code: 0,
    stderr: `warning: --network ${name}: unknown network, so a new archive of that name is created. Did you mean ${near}?\n`,
  });
  expect(await importing('--network', 'mainet')).toMatchObject(asked('mainet', 'mainnet'));
  // An existing archive of that name shows that the name is intended.
  expect(await importing('--network', 'mainet')).toMatchObject({ code: 0, stderr: '' });
  expect(await importing('--network', 'hivchain', '--config', config, '--json')).toMatchObject(
    asked('hivchain', 'hivechain'),
  );
  // A name that resembles no known network may be a network of the operator's own.
  expect(await importing('--network', 'hivechain')).toMatchObject({ code: 0, stderr: '' });
  const own = writeFile('own.json', JSON.stringify({ networks: [{ name: 'mainnet2', chainId: 1337 }] }));
  expect(await importing('--network', 'mainnet2', '--config', own)).toMatchObject({ code: 0, stderr: '' });
});
