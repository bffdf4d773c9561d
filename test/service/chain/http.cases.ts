import { dataFile } from '../../support/service/folder';
import { testArchive } from '../../support/service/archive';
import { openRaw } from '../../support/service/raw';
import { startService } from '../../support/service/service';
import { uncleOf } from '../../support/service/uncle';

const chainId = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] });

describe('JSON-RPC 2.0', () => {
  test.each([[1], [0], [-1], [1.5], ['a'], [''], [null], [9_007_199_254_740_991]])(
    'id %p is echoed exactly',
    async (id) => {
      const { post } = await startService();
      expect(await post(chainId(id))).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id, result: '0x1' } });
    },
  );

  test.each([
    ['not an object', 5, null],
    ['null', null, null],
    ['a string', '"eth_chainId"', null],
    ['no jsonrpc', { id: 1, method: 'eth_chainId' }, 1],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'eth_chainId' }, 1],
    ['no method', { jsonrpc: '2.0', id: 1 }, 1],
    ['a method that is a number', { jsonrpc: '2.0', id: 'x', method: 5 }, 'x'],
    ['an endless method', { jsonrpc: '2.0', id: 1, method: 'x'.repeat(900) }, 1],
    ['params that are a string', { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: 'a' }, 1],
    ['params that are a number', { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: 5 }, 1],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'eth_chainId' }, null],
    ['an id that is a boolean', { jsonrpc: '2.0', id: true, method: 'eth_chainId' }, null],
    ['an id that is a list', { jsonrpc: '2.0', id: [1], method: 'eth_chainId' }, null],
    ['an empty batch', [], null],
  ])('%s is an invalid request', async (_, body, id) => {
    const { post } = await startService();
    const { status, body: answer } = await post(body);
    expect(status).toBe(200);
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code: -32600, message: expect.stringMatching(/^invalid request: /) as string },
    });
  });

  test('invalid JSON is a parse error', async () => {
    const { post } = await startService();
    for (const body of ['', '{', '{"jsonrpc":"2.0",}', '\0']) {
      expect(await post(body)).toMatchObject({ status: 200, body: { id: null, error: { code: -32700 } } });
    }
  });

  test('a method that does not exist', async () => {
    const { call } = await startService();
    for (const method of ['eth_accounts', 'constructor', '__proto__', 'eth_sendTransaction', 'admin_peers']) {
      expect(await call(method)).toMatchObject({
        error: { code: -32601, message: `the method ${method} does not exist/is not available` },
      });
    }
  });

  test('notifications are not answered, even if invalid', async () => {
    const { post } = await startService();
    expect(await post({ jsonrpc: '2.0', method: 'eth_chainId' })).toMatchObject({ status: 204, body: '' });
    expect(await post({ jsonrpc: '2.0', method: 'eth_nonsense' })).toMatchObject({ status: 204, body: '' });
    const notification = { jsonrpc: '2.0', method: 'eth_chainId' };
    expect(await post([notification, notification])).toMatchObject({ status: 204, body: '' });
    expect(await post([notification, chainId(7)])).toMatchObject({ status: 200, body: [{ id: 7, result: '0x1' }] });
  });

  test('a batch is answered item by item', async () => {
    const { post } = await startService();
    const { body } = await post([chainId('a'), 1, { jsonrpc: '2.0', id: 2, method: 'net_version' }, [], chainId(null)]);
    expect(body).toMatchObject([
      { id: 'a', result: '0x1' },
      { id: null, error: { code: -32600 } },
      { id: 2, result: '1' },
      { id: null, error: { code: -32600 } },
      { id: null, result: '0x1' },
    ]);
  });

  test('methods without parameters reject parameters', async () => {
    const { call } = await startService();
    expect(await call('eth_chainId', 1)).toMatchObject({
      error: { code: -32602, message: 'too many arguments, want at most 0' },
    });
    expect(await call('web3_clientVersion')).toMatchObject({
      result: expect.stringMatching(/^Keystead\/v\d/) as string,
    });
  });
});

describe('the address', () => {
  test('an unknown key, a revoked key and a secret used as a key are all answered 401', async () => {
    const { post, keys, key } = await startService();
    const other = await keys.create();
    await keys.revoke(other.key);
    const refusal = { code: 401, message: 'Unauthorized', details: 'invalid project id' };
    for (const wrong of ['nobody', other.key, key.secret, key.key.toUpperCase(), `${key.key}0`, '%00']) {
      expect(await post(chainId(1), { key: wrong })).toMatchObject({
        status: 401,
        body: { jsonrpc: '2.0', id: null, error: refusal },
      });
    }
  });

  test('other paths are answered 404, other methods 405', async () => {
    const { url, key } = await startService();
    const status = async (path: string, method = 'POST') => {
      const response = await fetch(url + path, { method });
      return [response.status, ((await response.json()) as { error: { code: number } }).error.code];
    };
    expect(await status('/')).toEqual([404, -32600]);
    expect(await status('/v3')).toEqual([404, -32600]);
    expect(await status('/v3/')).toEqual([404, -32600]);
    expect(await status(`/v3/${key.key}/more`)).toEqual([404, -32600]);
    expect(await status('/v2/key')).toEqual([404, -32600]);
    expect(await status(`/v3/${key.key}`, 'GET')).toEqual([405, -32600]);
    expect(await status(`/v3/${key.key}`, 'DELETE')).toEqual([405, -32600]);
    expect(await status(`/ws/v3/${key.key}`, 'GET')).toEqual([404, -32600]);
  });

  test('the content type must be JSON, with or without a character set', async () => {
    const { post } = await startService();
    const status = async (type: string) => (await post(chainId(1), { headers: { 'content-type': type } })).status;
    expect(await status('application/json; charset=utf-8')).toBe(200);
    expect(await status('APPLICATION/JSON')).toBe(200);
    expect(await status('text/plain')).toBe(415);
    expect(await status('application/x-www-form-urlencoded')).toBe(415);
  });

  test('the charset is ignored: JSON is UTF-8', async () => {
    const { url, key } = await startService();
    const ask = async (bytes: Buffer, charset: string) => {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      const response = await fetch(`${url}/v3/${key.key}`, { method: 'POST', headers, body: Uint8Array.from(bytes) });
      return response.json();
    };
    const text = JSON.stringify({ jsonrpc: '2.0', id: 'grüße', method: 'eth_chainId' });
    for (const charset of ['utf-8', 'utf-16', 'iso-8859-1', '"UTF-16LE"'])
      expect(await ask(Buffer.from(text), charset)).toMatchObject({ id: 'grüße', result: '0x1' });
    for (const encoding of ['utf16le', 'latin1'] as const)
      expect(await ask(Buffer.from(text, encoding), encoding)).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test('a compressed body is rejected as such, not as invalid JSON', async () => {
    const { post, used } = await startService();
    const refused = await post(chainId(1), { headers: { 'content-encoding': 'gzip' } });
    expect(refused).toMatchObject({ status: 415, body: { error: { code: -32600 } } });
    expect(JSON.stringify(refused.body)).toContain('content encoding');
    expect(await used()).toBe(0);
    expect((await post(chainId(1), { headers: { 'content-encoding': 'identity' } })).status).toBe(200);
  });

  test.each(['application/json', 'application/json-rpc'])('invalid UTF-8 is invalid JSON (%s)', async (type) => {
    const { url, key } = await startService();
    const ask = async (id: Buffer | string) => {
      const body = Buffer.concat([
        ...['{"jsonrpc":"2.0","id":"', id, '","method":"eth_chainId"}'].map((part) => Buffer.from(part)),
      ]);
      const response = await fetch(`${url}/v3/${key.key}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      return response.json();
    };
    expect(await ask(Buffer.of(0xff))).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await ask('\ufffd')).toMatchObject({ id: '\ufffd', result: '0x1' });
  });

  test('a request with two hosts is rejected, because they may mean different networks', async () => {
    const { url, key } = await startService();
    const { write, until } = await openRaw(url);
    write(`POST /v3/${key.key} HTTP/1.1\r\nhost: a\r\nhost: b\r\ncontent-length: 0\r\n\r\n`);
    await until(/^HTTP\/1.1 400 [^]*more than one Host header/u);
  });

  test('an ordinary request to the WebSocket path gets an explanation', async () => {
    const { url, key } = await startService();
    expect(await (await fetch(`${url}/ws/v3/${key.key}`)).json()).toMatchObject({
      error: { message: expect.stringContaining('Upgrade') as string },
    });
  });

  test('browsers may call from any page, and without one', async () => {
    const { url, key, post } = await startService();
    const preflight = await fetch(`${url}/v3/${key.key}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'null',
        'access-control-request-method': 'POST',
        // Only the first is allowed, so a browser sends no request with the other.
        'access-control-request-headers': 'content-type, x-requested-with',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    expect((await post(chainId(1), { key: 'nobody' })).headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('limits', () => {
  test('a body that is too large is answered 413, announced or not', async () => {
    const { post, url, key } = await startService({ rpc: { limits: { bodyBytes: 1000 } } });
    const large = { ...chainId(1), padding: 'x'.repeat(2000) };
    expect(await post(large)).toMatchObject({ status: 413, body: { error: { code: -32600 } } });
    const unannounced = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(JSON.stringify(large)));
        controller.close();
      },
    });
    const response = await fetch(`${url}/v3/${key.key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: unannounced,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  test.each([
    ['a body that is too large', undefined, 413],
    ['a key that nobody has', 'nobody', 401],
  ])('%s: the response comes at once, and a client that is still writing is not cut off', async (_, who, status) => {
    const { url, key, call } = await startService({ rpc: { limits: { bodyBytes: 1000 } } });
    const { socket, write, until, closed } = await openRaw(url);
    const ends: unknown[] = [];
    socket.once('end', () => ends.push('in order')).once('error', (error) => ends.push(error));
    const fields = ['host: x', 'content-type: application/json', 'content-length: 1900'];
    write(`${[`POST /v3/${who ?? key.key} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`);
    await until(new RegExp(`^HTTP/1.1 ${status} `, 'u'));
    // A connection closed together with the response would have ended by now.
    for (let i = 0; i < 3; i++) await call('eth_chainId');
    expect(ends).toEqual([]);
    for (let i = 0; i < 19; i++) write(' '.repeat(100));
    await closed;
    expect(ends).toEqual(['in order']);
  });

  test('a client that keeps writing is cut off', async () => {
    const { url, key } = await startService({ rpc: { limits: { bodyBytes: 1000 } } });
    const { write, until, dribble, closed } = await openRaw(url);
    write(
      `POST /v3/${key.key} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n`,
    );
    await until(/^HTTP\/1.1 413 /u);
    dribble(() => ' '.repeat(500));
    await closed;
  });

  test('a batch of too many requests is rejected as a whole', async () => {
    const { post } = await startService({ rpc: { limits: { batchItems: 3 } } });
    const batch = (length: number) => Array.from({ length }, (_, i) => chainId(i));
    expect((await post(batch(3))).body).toHaveLength(3);
    expect(await post(batch(4))).toMatchObject({ status: 413, body: { id: null, error: { code: -32600 } } });
  });

  test('a client that never finishes its request is disconnected', async () => {
    const { url } = await startService({ rpc: { limits: { requestMs: 50 } } });
    const { write, closed } = await openRaw(url);
    write('POST /v3/key HTTP/1.1\r\nhost: x\r\n');
    expect(await closed).toMatch(/^HTTP\/1.1 408/);
  });
});

test('neither keys nor secrets are logged', async () => {
  const archive = testArchive('mainnet');
  const { post, key, logged, url } = await startService({}, { dataDir: archive.dataDir });
  await post(chainId(1));
  await post('{');
  await post({ jsonrpc: '2.0', id: 1, method: 'eth_getUncleByBlockNumberAndIndex', params: ['0x29c', '0x0'] });
  await fetch(`${url}/v3/${key.key}?secret=${key.secret}`);
  expect(logged()).toContain('eth_getUncleByBlockNumberAndIndex');
  expect(logged()).not.toContain(key.key);
  expect(logged()).not.toContain(key.secret);
});

test('the exact answers of an archive arrive over HTTP', async () => {
  const archive = testArchive('hivechain');
  await archive.import(dataFile('hivechain.rlp'));
  const networks = [{ name: 'hivechain', chainId: 3_503_995_874_084_926 }];
  const { call } = await startService({ networks }, { dataDir: archive.dataDir });
  const opened = await archive.open();
  expect(await call('eth_getUncleByBlockNumberAndIndex', '0x1d', '0x0')).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: uncleOf(opened, 29, 0, false),
  });
  expect(await call('eth_chainId')).toMatchObject({ result: '0xc72dd9d5e883e' });
  opened.close();
});
