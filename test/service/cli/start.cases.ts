import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { PROGRAM, startCli } from '../../support/service/cli';
import { makeFolder, writeFile } from '../../support/service/folder';
import { untilOutput } from '../../support/service/until-output';

type Started = { key?: string; secret?: string; addresses: { label: string; url: string }[] };

/** What `serve --json` prints once everything listens. */
async function startedBy(child: ChildProcess) {
  const [line] = await untilOutput(child, /^\{.*\}\n/mu);
  const { addresses, ...made } = JSON.parse(line) as Started;
  return { ...made, url: (label: string) => addresses.find((address) => address.label === label)?.url ?? '' };
}

/** A port of this machine at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const CHAIN_ID = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
const JSON_BODY = { method: 'POST', headers: { 'content-type': 'application/json' }, body: CHAIN_ID };

test('a start does not wait for Redis or a bucket: each part says what it lacks, and refuses what needs it', async () => {
  const config = writeFile(
    'config.json',
    JSON.stringify({
      ledger: 'redis',
      redis: { url: `redis://127.0.0.1:${await closedPort()}` },
      rpc: { port: 0 },
      storage: {
        port: 0,
        s3: {
          endpoint: `http://127.0.0.1:${await closedPort()}`,
          bucket: 'files',
          accessKeyId: 'a',
          secretAccessKey: 's',
        },
      },
    }),
  );
  const child = startCli(makeFolder(), ['serve', '--json', '--config', config]);
  const ended = once(child, 'exit');
  const { key, url } = await startedBy(child);
  expect(key).toBeUndefined();
  const ask = async (path: string) => {
    const answer = await fetch(`${url('Operations')}${path}`);
    return [answer.status, ((await answer.json()) as { problems?: string[] }).problems];
  };
  expect(await ask('/livez')).toEqual([200, undefined]);
  expect(await ask('/readyz/chain')).toEqual([
    503,
    ['the credits ledger cannot be reached', 'the key store cannot be reached'],
  ]);
  expect(await ask('/readyz/storage')).toEqual([503, [expect.stringMatching(/object store cannot be reached/u)]]);
  expect((await fetch(`${url('RPC')}/v3/${'0'.repeat(32)}`, JSON_BODY)).status).toBe(503);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('each port can be named at the start, so that processes on one machine share a configuration', async () => {
  const operations = await closedPort();
  const config = writeFile('config.json', JSON.stringify({ rpc: { operations: { port: await closedPort() } } }));
  const ports = ['--rpc-port', '0', '--storage-port', '0', '--operations-port', String(operations)];
  const child = startCli(makeFolder(), ['serve', '--json', '--config', config, ...ports]);
  const ended = once(child, 'exit');
  const { url } = await startedBy(child);
  expect(url('Operations')).toBe(`http://127.0.0.1:${operations}`);
  expect((await fetch(`${url('Operations')}/livez`)).status).toBe(200);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

test('a process that stops says so to a balancer that asks whether it is alive, and to no page, and still answers', async () => {
  const child = startCli(makeFolder(), ['serve', '--json', '--rpc-port', '0', '--storage-port', '0']);
  const ended = once(child, 'exit');
  const { key = '', url } = await startedBy(child);
  const ask = async (headers: Record<string, string> = {}) => {
    const paths = [`${url('RPC')}/alive`, `${url('Storage')}/alive`];
    const answers = await Promise.all(paths.map((path) => fetch(path, { method: 'OPTIONS', headers })));
    return answers.map(({ status }) => status);
  };
  const ready = async () => (await fetch(`${url('Operations')}/readyz`)).status;
  expect(await ask()).toEqual([204, 204]);
  child.kill('SIGTERM');
  while ((await ask()).includes(204)) await new Promise(setImmediate);
  expect(await ask()).toEqual([503, 503]);
  expect(await ask({ 'access-control-request-method': 'POST' })).toEqual([204, 200]);
  expect((await fetch(`${url('RPC')}/v3/${key}`, JSON_BODY)).status).toBe(200);
  expect(await ready()).toBe(503);
  expect(await ended).toEqual([0, null]);
});

const tellsLimit = process.platform === 'linux';

(tellsLimit ? test : test.skip)(
  `idle connections do not use up the descriptors of the service${tellsLimit ? '' : ' (skipped: needs Linux)'}`,
  async () => {
    const LIMIT = 300;
    const serve = ['serve', '--json', '--rpc-port', '0', '--storage-port', '0', '--data-dir', makeFolder()];
    const child = spawn('sh', ['-c', `ulimit -n ${LIMIT} && exec "$0" "$@"`, process.execPath, PROGRAM, ...serve], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    child.stderr.on('data', (data: Buffer) => (log += data.toString()));
    const idle: Socket[] = [];
    try {
      const { key = '', secret = '', url } = await startedBy(child);
      for (const label of ['RPC', 'Storage', 'Operations']) {
        const { port } = new URL(url(label));
        for (let i = 0; i < LIMIT; i++) {
          const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
          idle.push(socket);
          await once(socket, 'connect');
        }
      }
      const answered = await fetch(`${url('RPC')}/v3/${key}`, JSON_BODY);
      expect([answered.status, await answered.json()]).toMatchObject([200, { result: '0x1' }]);
      const body = new FormData();
      body.set('file', new Blob(['content']));
      const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
      const added = await fetch(`${url('Storage')}/api/v0/add`, { method: 'POST', headers: { authorization }, body });
      expect([added.status, await added.text()]).toEqual([200, expect.stringContaining('"Hash"')]);
      expect((await fetch(`${url('Operations')}/readyz`)).status).toBe(200);
      expect(log).toContain('connections are limited by the descriptors of the process');
    } finally {
      for (const socket of idle) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  },
);
