import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import crypto from 'node:crypto';

import { generateKey, identify } from '../../../src/service/keys';
import { startService } from '../../support/service/service';

/** GETs with a chosen Host header, which `fetch` does not allow. */
async function get(url: string, host: string, headers: Record<string, string> = {}) {
  const sent = request(url, { headers: { host, ...headers }, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response), headers: response.headers };
}

const FOREIGN = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '10.0.0.1',
  'localhost.',
  '[::2]',
  '127.0.0.1@x',
];
const OWN = ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '[::1]'];

test('metrics are on no public listener, also behind a proxy on the same machine', async () => {
  const { url } = await startService();
  for (const host of [...FOREIGN, ...OWN]) expect(await get(`${url}/metrics`, host)).toMatchObject({ status: 404 });
});

test('the listener of operators on a loopback address is hidden from a page whose own name resolves here (DNS rebinding)', async () => {
  const { addresses } = await startService({ rpc: { operations: { port: 0 } } });
  const url = addresses['Operations'] ?? '';
  for (const path of ['/metrics', '/health']) {
    for (const host of FOREIGN) expect(await get(url + path, host)).toMatchObject({ status: 404 });
    for (const host of OWN) expect(await get(url + path, host)).toMatchObject({ status: 200 });
  }
  const everywhere = await startService({ rpc: { operations: { host: '0.0.0.0', port: 0 } } });
  const { port } = new URL(everywhere.addresses['Operations'] ?? '');
  expect(await get(`http://127.0.0.1:${port}/metrics`, 'metrics.internal')).toMatchObject({ status: 200 });
});

test('a name that resolves here opens nothing without the key, and no response allows credentials', async () => {
  const { url, post, key } = await startService();
  const { port } = new URL(url);
  for (const host of FOREIGN) {
    for (const path of ['/', '/v3', `/v3/${'0'.repeat(32)}`])
      expect((await get(url + path, `${host}:${port}`)).status).toBeGreaterThanOrEqual(400);
  }
  // A file or a sandboxed frame has the origin null.
  for (const origin of ['https://a.example', 'null']) {
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }, { headers: { origin } });
    expect(answer.body).toMatchObject({ result: '0x1' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(JSON.stringify(answer.body)).not.toContain(key.key);
  }
});

test('with several networks, a host that matches none is rejected, however it is written', async () => {
  const { url, key } = await startService({
    networks: [
      { name: 'one', chainId: 1, hosts: ['one.example'] },
      { name: 'two', chainId: 2, hosts: ['two.example'] },
    ],
  });
  const ask = async (host: string) => {
    const sent = request(`${url}/v3/${key.key}`, {
      method: 'POST',
      headers: { host, 'content-type': 'application/json' },
      agent: false,
    });
    sent.end('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return [response.statusCode, await text(response)] as const;
  };
  expect((await ask('ONE.example:1'))[1]).toContain('"0x1"');
  expect((await ask('two.example'))[1]).toContain('"0x2"');
  for (const host of [
    '',
    'one.example.evil',
    'evil.one.example',
    'one.example@evil',
    'constructor',
    '__proto__',
    'one.example:x',
  ])
    expect((await ask(host))[0]).toBe(404);
});

test('a wrong secret takes the same path as an unknown key: as many comparisons, in constant time', () => {
  const compare = jest.spyOn(crypto, 'timingSafeEqual');
  const { secret, stored } = generateKey({});
  expect(identify(stored, secret)).toBeDefined();
  expect(identify(stored, `${secret}x`)).toBeUndefined();
  expect(identify(undefined, secret)).toBeUndefined();
  expect(identify({ ...stored, revokedAt: 1 }, secret)).toBeUndefined();
  // Of the secret, and of as many old ones as a key may have.
  expect(compare).toHaveBeenCalledTimes(4 * 9);
});
