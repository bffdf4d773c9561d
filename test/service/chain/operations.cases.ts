import { pino } from 'pino';
import { JoinedRegistry } from '../../../src/service/runtime/joined-registry';
import { startOperations } from '../../../src/service/operations/server';
import { type RunningPart } from '../../../src/service/part';
import { request as httpsRequest } from 'node:https';
import { request } from 'node:http';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { createListener, endConnections, listen, stopListening } from '../../../src/service/admission/listener';
import { makeCertificate, noOpenssl } from '../../support/service/certificate';
import { openRaw } from '../../support/service/raw';
import { writeFile } from '../../support/service/folder';
import { testWithinOneDay } from '../../support/service/one-day';
import { noRedis, startRedis } from '../../support/service/redis';
import { startService } from '../../support/service/service';
import { openSocket } from '../../support/service/socket';

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });

/** POSTs with a chosen Host header, which `fetch` does not allow. */
async function postAs(host: string, url: string): Promise<{ status: number | undefined; body: unknown }> {
  const sent = request(url, { method: 'POST', headers: { host, 'content-type': 'application/json' } });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) as unknown };
}

describe('several networks in one process', () => {
  const networks = [
    { name: 'mainnet', chainId: 1, hosts: ['mainnet.example'] },
    { name: 'sepolia', chainId: 11_155_111, hosts: ['sepolia.example', 'Test.Example'], port: 0 },
  ];

  test('are distinguished by host name', async () => {
    const { url, key } = await startService({ networks });
    const ask = (host: string) => postAs(host, `${url}/v3/${key.key}`);
    expect(await ask('mainnet.example')).toMatchObject({ body: { result: '0x1' } });
    expect(await ask('SEPOLIA.example:8545')).toMatchObject({ body: { result: '0xaa36a7' } });
    expect(await ask('test.example')).toMatchObject({ body: { result: '0xaa36a7' } });
    expect(await ask('elsewhere.example')).toMatchObject({
      status: 404,
      body: {
        id: null,
        error: { code: -32600, message: 'invalid request: no network is configured for this host name' },
      },
    });
  });

  test('are distinguished by port, over HTTP and WebSocket', async () => {
    const { addresses, key } = await startService({ networks });
    const own = addresses['RPC sepolia']!;
    expect(await postAs('anything.example', `${own}/v3/${key.key}`)).toMatchObject({ body: { result: '0xaa36a7' } });
    const { ask } = await openSocket(`${own.replace('http', 'ws')}/ws/v3/${key.key}`);
    expect(await ask(body)).toMatchObject({ result: '0xaa36a7' });
  });

  test('by host name over WebSocket', async () => {
    const { wsUrl } = await startService({ networks });
    const { ask } = await openSocket(wsUrl, { headers: { host: 'sepolia.example' } });
    expect(await ask(body)).toMatchObject({ result: '0xaa36a7' });
    await expect(openSocket(wsUrl)).rejects.toThrow('404');
  });

  test('by the host of an absolute URL in the request line, whatever the Host header says', async () => {
    const { url, wsUrl, key, post } = await startService({ networks });
    const ask = async (target: string) => {
      const { write, until } = await openRaw(url);
      const fields = ['host: mainnet.example', 'content-type: application/json', `content-length: ${body.length}`];
      write(`${[`POST ${target} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n${body}`);
      const [, status, answer = ''] = await until(/^HTTP\/1.1 (\d+)[^]*\r\n\r\n(.*\})$/u);
      return [Number(status), JSON.parse(answer) as unknown];
    };
    const path = `/v3/${key.key}`;
    const [mainnet, sepolia] = ['0x1', '0xaa36a7'].map((result) => [200, { jsonrpc: '2.0', id: 1, result }]);
    expect(await ask(path)).toEqual(mainnet);
    expect(await ask(`http://sepolia.example${path}`)).toEqual(sepolia);
    expect(await ask(`HTTPS://Sepolia.Example:443${path}?x`)).toEqual(sepolia);
    expect(await ask(`http://elsewhere.example${path}`)).toMatchObject([404, { error: { code: -32600 } }]);
    for (const unclear of [`http://${path}`, `http://sepolia.example@mainnet.example${path}`])
      expect(await ask(unclear)).toMatchObject([400, { error: { code: -32600 } }]);
    expect(await ask('http://sepolia.example')).toMatchObject([404, { error: { code: -32600 } }]);

    const { write, until } = await openRaw(wsUrl);
    const fields = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', 'Host: x'];
    const upgrade = ['Upgrade: websocket', 'Connection: Upgrade', ...fields].join('\r\n');
    write(`GET http://sepolia.example${new URL(wsUrl).pathname} HTTP/1.1\r\n${upgrade}\r\n\r\n`);
    await until(/^HTTP\/1.1 101 /u);
    expect((await post(body)).status).toBe(404);
  });
});

(noOpenssl === undefined ? test : test.skip)(
  `TLS, for HTTP and WebSocket${noOpenssl ? ` (${noOpenssl})` : ''}`,
  async () => {
    const { cert, key } = makeCertificate();
    const service = await startService({ tls: { cert, key } });
    expect(service.url).toMatch(/^https:/);
    const ca = readFileSync(cert);
    const sent = httpsRequest(`${service.url}/v3/${service.key.key}`, {
      method: 'POST',
      ca,
      agent: false,
      headers: { 'content-type': 'application/json' },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(JSON.parse(await text(response))).toMatchObject({ result: '0x1' });
    const { ask } = await openSocket(`${service.url.replace('https', 'wss')}/ws/v3/${service.key.key}`, { ca });
    expect(await ask(body)).toMatchObject({ result: '0x1' });

    await expect(startService({ tls: { cert: '/nowhere', key } })).rejects.toThrow('tls: /nowhere cannot be read');
    const wrong = writeFile('cert.pem', 'no certificate');
    await expect(startService({ tls: { cert: wrong, key } })).rejects.toThrow(
      'tls: the certificate and key do not match',
    );
  },
);

(noOpenssl === undefined ? test : test.skip)(
  `TLS: a connection whose handshake never comes does not hold up a stop${noOpenssl ? ` (${noOpenssl})` : ''}`,
  async () => {
    const server = createListener(makeCertificate(), { requestMs: 86_400_000, answerMs: 86_400_000 });
    const port = await listen(server, '127.0.0.1', 0, 'none');
    const accepted = once(server, 'connection');
    const { closed } = await openRaw(`https://127.0.0.1:${port}`);
    await accepted;
    const stopped = stopListening(server);
    // Ended by the stop, not by the time limit for handshakes, which is longer.
    const ended = new Promise((resolve) => {
      server.once('tlsClientError', ({ code }: NodeJS.ErrnoException) => {
        resolve(code);
      });
    });
    endConnections(server);
    await stopped;
    expect(await ended).toBe('ECONNRESET');
    expect(await closed).toBe('');
  },
);

describe('health and metrics', () => {
  test('are on the listener of operators, and nowhere else', async () => {
    const { url, operations, post } = await startService();
    await post(body);
    const ready = await fetch(`${operations}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
    const asked = await fetch(`${operations}/health`, { method: 'HEAD' });
    expect([asked.status, await asked.text()]).toEqual([200, '']);
    const metrics = await fetch(`${operations}/metrics`);
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    const page = await metrics.text();
    expect(page).toContain(
      'keystead_rpc_requests_total{network="mainnet",method="eth_chainId",transport="http",outcome="ok"} 1',
    );
    expect(page).toContain('keystead_rpc_archive_blocks{network="mainnet"} 0');
    for (const path of ['/metrics', '/readyz', '/readyz/chain', '/health', '/livez'])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    expect(await (await fetch(`${operations}/v3/key`)).json()).toEqual({
      error: 'use GET /livez, /readyz, /readyz/chain or /metrics',
    });
    expect((await fetch(`${operations}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  test('tell whether the process answers, and whether it can work, apart from each other', async () => {
    const { keys, operations } = await startService();
    const statusOf = async (path: string) => (await fetch(operations + path)).status;
    for (const path of ['/livez', '/readyz', '/readyz/chain', '/health']) expect(await statusOf(path)).toBe(200);
    await keys.close();
    expect(await statusOf('/livez')).toBe(200);
    for (const path of ['/readyz', '/readyz/chain', '/health']) expect(await statusOf(path)).toBe(503);
  });

  test('each part is asked alone, and is not ready before it has started', async () => {
    const part = (problems: string[]) => ({
      addresses: [],
      problems: () => Promise.resolve(problems),
      stop: () => Promise.resolve(),
    });
    let storage: RunningPart | undefined;
    const { addresses, stop } = await startOperations({
      host: '127.0.0.1',
      port: 0,
      metrics: new JoinedRegistry(),
      log: pino({ level: 'silent' }),
      parts: { chain: () => part([]), storage: () => storage },
    });
    const ask = async (path: string) => {
      const answer = await fetch(`${addresses[0]?.url}${path}`);
      return [answer.status, ((await answer.json()) as { problems?: string[] }).problems];
    };
    expect(await ask('/readyz/chain')).toEqual([200, undefined]);
    expect(await ask('/readyz/storage')).toEqual([503, ['storage has not started yet']]);
    expect((await ask('/readyz/other'))[0]).toBe(404);
    storage = part(['the disk is full']);
    expect(await ask('/readyz/storage')).toEqual([503, ['the disk is full']]);
    expect(await ask('/readyz/chain')).toEqual([200, undefined]);
    expect(await ask('/readyz')).toEqual([503, ['the disk is full']]);
    storage = part([]);
    expect(await ask('/readyz')).toEqual([200, undefined]);
    await stop();
  });

  test('are found with any query, and by an absolute URL of this machine', async () => {
    const { operations } = await startService();
    for (const path of ['/health?', '/health?now=1', '/metrics?/v3/a'])
      expect((await fetch(operations + path)).status).toBe(200);
    for (const [target, status] of [
      ['http://localhost/metrics', 200],
      ['http://127.0.0.1:9090/health', 200],
      ['http://metrics.example/metrics', 404],
      ['http:///metrics', 400],
    ] as const) {
      const { write, until } = await openRaw(operations);
      write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await until(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
    }
  });

  test('one scrape is made for everyone who asks meanwhile', async () => {
    const metrics = new JoinedRegistry();
    let scrapes = 0;
    let finish: () => void = () => undefined;
    metrics.join(() => {
      scrapes++;
      return new Promise((resolve) => {
        finish = () => {
          resolve([]);
        };
      });
    });
    const options = { host: '127.0.0.1', port: 0, metrics, log: pino({ level: 'silent' }), parts: {} };
    const { addresses, stop } = await startOperations(options);
    const url = `${addresses[0]?.url}/metrics`;
    const asked = Array.from({ length: 20 }, () => fetch(url).then(({ status }) => status));
    while (scrapes === 0) await new Promise(setImmediate);
    expect((await fetch(`${addresses[0]?.url}/livez`)).status).toBe(200);
    finish();
    const answered = Promise.all(asked);
    const rest = setInterval(() => {
      finish();
    }, 1);
    expect(new Set(await answered)).toEqual(new Set([200]));
    clearInterval(rest);
    expect(scrapes).toBeLessThan(5);
    await stop();
  });

  test('made-up methods do not become metrics', async () => {
    const { call, metrics } = await startService();
    await call('eth_madeUp1');
    await call('eth_madeUp2');
    expect(await metrics()).not.toContain('madeUp');
  });

  test('a lost ledger: unhealthy, 503 to requests, nothing given away', async () => {
    const { keys, operations, post } = await startService();
    await keys.close();
    const health = await fetch(`${operations}/health`);
    expect([health.status, await health.json()]).toEqual([
      503,
      { status: 'unavailable', problems: ['the key store cannot be reached'] },
    ]);
    expect(await post(body)).toMatchObject({
      status: 503,
      body: { id: null, error: { code: -32603, message: 'API keys cannot be verified right now, try again' } },
    });
  });

  (noRedis === undefined ? test : test.skip)(
    `Redis lost: 503, fails closed${noRedis ? ` (${noRedis})` : ''}`,
    async () => {
      const redis = await startRedis();
      const { url, operations, post, key } = await startService({ ledger: 'redis', redis: { url: redis.url } });
      expect(await post(body)).toMatchObject({ status: 200 });
      const { ask, closed } = await openSocket(`${url.replace('http', 'ws')}/ws/v3/${key.key}`);
      const ended = once(redis.process, 'exit');
      redis.process.kill('SIGKILL');
      await ended;
      expect(await post(body)).toMatchObject({ status: 503 });
      expect((await fetch(`${operations}/health`)).status).toBe(503);
      expect(await ask(body)).toMatchObject({ error: { code: -32603 } });
      await closed;
    },
  );
});

(noRedis === undefined ? testWithinOneDay : test.skip)(
  `two services on one Redis share keys and credits${noRedis ? ` (${noRedis})` : ''}`,
  async () => {
    const { url: redisUrl } = await startRedis();
    const config = { ledger: 'redis', redis: { url: redisUrl }, credits: { daily: 1500 } };
    const [one, two] = [await startService(config), await startService(config)];
    const uncle = { jsonrpc: '2.0', id: 1, method: 'eth_getUncleByBlockNumberAndIndex', params: ['0x0', '0x0'] };
    const { key } = one.key;
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).post(uncle, { key })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(30);
    await one.keys.revoke(key);
    expect(await two.post(uncle, { key })).toMatchObject({ status: 401 });
  },
);

test('a port in use is reported by name', async () => {
  const { url } = await startService();
  const { port } = new URL(url);
  await expect(startService({ rpc: { port: Number(port) } })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: the port is in use (EADDRINUSE); change rpc.host, rpc.port or --rpc-port`,
  );
});
