import { once } from 'node:events';

import { WebSocket } from 'ws';

import { type NodeAnswer, startNode as startNodeOn, TAKEN } from '../../support/service/node';
import { startService } from '../../support/service/service';

const CHAIN_ID = 31337;

const networkWith = (config: object) => ({ networks: [{ name: 'devnet', chainId: CHAIN_ID, ...config }] });
const startNode = (answer: NodeAnswer) => startNodeOn(answer, CHAIN_ID);

test('listed methods go to the node, with their parameters and over one connection', async () => {
  const node = await startNode(({ params }) => params);
  const { call, post } = await startService(
    networkWith({ upstream: { url: node.url, connections: 1, headers: { authorization: 'Bearer x' } } }),
  );
  expect(await call('eth_getBalance', '0xabc', 'latest')).toMatchObject({ result: ['0xabc', 'latest'] });
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: { a: 1 } })).body).toMatchObject({
    result: { a: 1 },
  });
  await Promise.all(Array.from({ length: 20 }, () => call('eth_blockNumber')));
  expect(node.calls).toHaveLength(22);
  expect(node.connections()).toBe(1);
  expect(node.headers()).toMatchObject({ authorization: 'Bearer x', 'content-type': 'application/json' });
});

test('previews reach the node: eth_simulateV1 is listed', async () => {
  const node = await startNode(() => [{ calls: [] }]);
  const { call } = await startService(networkWith({ upstream: { url: node.url } }));
  expect(await call('eth_simulateV1', { blockStateCalls: [] }, 'latest')).toMatchObject({ result: [{ calls: [] }] });
  expect(node.calls).toMatchObject([{ method: 'eth_simulateV1', params: [{ blockStateCalls: [] }, 'latest'] }]);
});

test('unlisted methods do not reach the node', async () => {
  const node = await startNode(() => 'reached');
  const { call } = await startService(networkWith({ upstream: { url: node.url } }));
  for (const method of [
    'eth_sendTransaction',
    'personal_sign',
    'debug_traceCall',
    'anvil_setBalance',
    'eth_sendUserOperation',
  ])
    expect(await call(method)).toMatchObject({ error: { code: -32601 } });
  expect(node.calls).toEqual([]);
});

test('the error names what is missing', async () => {
  const node = await startNode(() => 'reached');
  const text = 'does not exist/is not available: this network has no';
  const archiveOnly = await startService();
  const withNode = await startService(networkWith({ upstream: { url: node.url } }));
  expect(await archiveOnly.call('eth_blockNumber')).toMatchObject({
    error: { code: -32601, message: `the method eth_blockNumber ${text} node` },
  });
  for (const { call } of [archiveOnly, withNode])
    expect(await call('eth_sendUserOperation')).toMatchObject({
      error: { code: -32601, message: `the method eth_sendUserOperation ${text} bundler` },
    });
  expect(node.calls).toEqual([]);
});

test('an operator may list other methods instead', async () => {
  const node = await startNode(() => 'reached');
  const { call } = await startService(
    networkWith({ upstream: { url: node.url, methods: ['anvil_mine', 'eth_call'] } }),
  );
  expect(await call('anvil_mine')).toMatchObject({ result: 'reached' });
  expect(await call('eth_call')).toMatchObject({ result: 'reached' });
  expect(await call('eth_blockNumber')).toMatchObject({ error: { code: -32601 } });
});

test("a bundler's methods go to the bundler", async () => {
  const [node, bundler] = [await startNode(() => 'node'), await startNode(() => 'bundler')];
  const { call } = await startService(networkWith({ upstream: { url: node.url }, bundler: { url: bundler.url } }));
  for (const method of [
    'eth_sendUserOperation',
    'eth_estimateUserOperationGas',
    'eth_getUserOperationByHash',
    'eth_getUserOperationReceipt',
    'eth_supportedEntryPoints',
    'pimlico_getUserOperationGasPrice',
  ])
    expect(await call(method)).toMatchObject({ result: 'bundler' });
  expect(await call('eth_blockNumber')).toMatchObject({ result: 'node' });
});

describe('operations in the form of MetaMask’s controller', () => {
  const OWN = `0x${'e1'.repeat(20)}`;
  const OWN_06 = `0x${'e2'.repeat(20)}`;
  const FACTORY = `0x${'fa'.repeat(20)}`;
  const packed = { sender: OWN, nonce: '0x1', initCode: `${FACTORY}5fbf`, paymasterAndData: '0x', signature: '0x00' };
  const unpacked = { sender: OWN, nonce: '0x1', factory: FACTORY, factoryData: '0x5fbf', signature: '0x00' };
  const withBundler = async () => {
    const bundler = await startNode(() => 'sent');
    const entryPoints = { [OWN]: '0.8', [OWN_06]: '0.6' };
    const service = await startService(networkWith({ bundler: { url: bundler.url, entryPoints } }));
    return { bundler, service };
  };

  test.each([
    ['0.6, canonical', '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789', packed],
    ['0.7, canonical', '0x0000000071727de22e5e9d8baf0edac6f37da032', unpacked],
    ["0.8, of the operator's list", OWN.toUpperCase().replace('0X', '0x'), unpacked],
    ["0.6, of the operator's list", OWN_06, packed],
    ['unknown', FACTORY, packed],
  ])('reach the bundler in the form of the entry point: %s', async (_name, entryPoint, expected) => {
    const { bundler, service } = await withBundler();
    for (const method of ['eth_sendUserOperation', 'eth_estimateUserOperationGas']) {
      expect(await service.call(method, packed, entryPoint)).toMatchObject({ result: 'sent' });
      expect(bundler.calls.at(-1)).toEqual({ method, params: [expected, entryPoint] });
    }
  });

  test('operations that cannot be decoded are rejected at the price of an invalid request, and not sent', async () => {
    const { bundler, service } = await withBundler();
    expect(await service.call('eth_sendUserOperation', { ...packed, initCode: '0x1234' }, OWN)).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^userOperation\.initCode: /u) as string },
    });
    expect(bundler.calls).toEqual([]);
    expect(await service.used()).toBe(5);
  });

  test('the list of entry points is checked', async () => {
    const config = (entryPoints: object) => networkWith({ bundler: { url: 'http://127.0.0.1:1', entryPoints } });
    await expect(startService(config({ [OWN]: '0.5' }))).rejects.toThrow('entryPoints');
    await expect(startService(config({ '0x12': '0.7' }))).rejects.toThrow('entryPoints');
  });
});

describe('a failing node costs nothing and is named, without its address', () => {
  const failing = async (config: object, ...answer: Parameters<typeof startNode>) => {
    const node = await startNode(...answer);
    const service = await startService(networkWith({ upstream: { url: `${node.url}/secret-key`, ...config } }));
    const reply = await service.post({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' });
    expect(JSON.stringify(reply.body) + service.logged()).not.toContain('secret-key');
    expect(await service.used()).toBe(0);
    return { status: reply.status, ...(reply.body as { error: { code: number; message: string } }).error };
  };

  test('too slow', async () => {
    expect(await failing({ timeoutMs: 20 }, () => TAKEN)).toEqual({
      status: 504,
      code: -32603,
      message: "the network's node took too long to answer",
    });
  });

  test('an HTTP error', async () => {
    const answer = await failing({}, (_, response) => {
      response.writeHead(429).end('{"error":"too many"}');
      return TAKEN;
    });
    expect(answer).toEqual({ status: 502, code: -32603, message: "the network's node answered with HTTP status 429" });
  });

  test.each([401, 402, 403])('HTTP error %i, whose message is for the operator', async (status) => {
    const answer = await failing({}, ({ id }, response) => {
      const error = { code: -32000, message: 'secret-key is no project' };
      response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return TAKEN;
    });
    expect(answer).toMatchObject({ status: 502, message: `the network's node answered with HTTP status ${status}` });
  });

  test.each([302, 404, 500])('a result with the HTTP status %i', async (status) => {
    const answer = await failing({}, ({ id }, response) => {
      response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }));
      return TAKEN;
    });
    expect(answer).toMatchObject({ status: 502, message: `the network's node answered with HTTP status ${status}` });
  });

  test('the answer to another request', async () => {
    const answer = await failing({}, ({ id }, response) => {
      response.end(JSON.stringify({ jsonrpc: '2.0', id: Number(id) + 1, result: '0x1' }));
      return TAKEN;
    });
    expect(answer).toMatchObject({ status: 502, message: "the network's node sent the response to another request" });
  });

  test.each([
    ['not JSON', 'hello', 'sent a response that is not JSON'],
    ['not JSON-RPC', '[]', 'sent a response that is not JSON-RPC'],
    ['null', 'null', 'sent a response that is not JSON-RPC'],
    ['an error that is none', '{"error":"boo"}', 'sent a response that is not JSON-RPC'],
    ['a code that is none', '{"error":{"code":1e400,"message":"boo"}}', 'sent a response that is not JSON-RPC'],
    ['too much', JSON.stringify({ result: 'x'.repeat(5000) }), 'sent a response that is too large'],
  ])('%s', async (_, body, what) => {
    const answer = await failing({ answerBytes: 4000 }, (__, response) => {
      response.end(body);
      return TAKEN;
    });
    expect(answer).toEqual({ status: 502, code: -32603, message: `the network's node ${what}` });
  });

  test('a connection that breaks', async () => {
    const answer = await failing({}, (_, response) => {
      response.destroy();
      return TAKEN;
    });
    expect(answer).toEqual({ status: 502, code: -32603, message: "the network's node cannot be reached" });
  });

  test('nobody listening', async () => {
    const service = await startService(networkWith({ upstream: { url: 'http://127.0.0.1:1/' } }));
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' },
      { jsonrpc: '2.0', id: 2, method: 'eth_chainId' },
    ];
    expect(await service.post(batch)).toMatchObject({
      status: 200,
      body: [{ error: { code: -32603 } }, { result: '0x7a69' }],
    });
    expect(await service.used()).toBe(5);
  });
});

test.each([200, 400, 429, 500])('a bundler error with HTTP status %i is forwarded', async (status) => {
  const error = { code: -32500, message: "AA21 didn't pay prefund", data: '0x1234' };
  const bundler = await startNode(({ id }, response) => {
    response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    return TAKEN;
  });
  const { call } = await startService(networkWith({ bundler: { url: bundler.url } }));
  expect(await call('eth_sendUserOperation')).toMatchObject({ error });
});

test('a connection that the node closed while idle is not an error', async () => {
  const node = await startNode((_, response) => {
    response.setHeader('connection', 'keep-alive');
    response.once('finish', () => response.socket?.destroySoon());
    return '0x1';
  });
  const { call } = await startService(networkWith({ upstream: { url: node.url, connections: 1 } }));
  for (let i = 0; i < 5; i++) expect(await call('eth_blockNumber')).toMatchObject({ result: '0x1' });
});

describe('a long answer', () => {
  const LONG = 400_000;
  /** Digits that a number cannot hold, blanks, and characters of several bytes. */
  const RESULT = ` [ 1.10 , {"big":123456789012345678901234567890, "é€😀":"${'é€😀\\n'.repeat(LONG / 10)}"} ,${'[{"a":[1]}], '.repeat(LONG / 13)}1e400]`;
  const whole = (id: unknown, result = RESULT) => `{"id":${String(id)},"jsonrpc":"2.0","result":${result}}`;

  const withNode = async (answer: (id: unknown) => string | Buffer, status = 200) => {
    const node = await startNode(({ id }, response) => {
      response.writeHead(status).end(answer(id));
      return TAKEN;
    });
    return startService(networkWith({ upstream: { url: node.url } }));
  };
  const ask = async ({ url, key }: Awaited<ReturnType<typeof withNode>>, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/v3/${key.key}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, length: Number(answer.headers.get('content-length')), text: await answer.text() };
  };
  const LOGS = { jsonrpc: '2.0', id: 'é', method: 'eth_getLogs', params: [] };
  const sent = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":${RESULT.trim()}}`;

  test('arrives as the node wrote it, alone, in a batch and over a WebSocket', async () => {
    const service = await withNode((id) => whole(id));
    const alone = await ask(service, LOGS);
    expect(alone.text === sent('"é"')).toBe(true);
    expect(alone.length).toBe(Buffer.byteLength(alone.text));
    const batch = await ask(service, [LOGS, { ...LOGS, method: 'eth_chainId', id: 2 }, { ...LOGS, id: 3 }]);
    expect(batch.text === `[${sent('"é"')},{"jsonrpc":"2.0","id":2,"result":"0x7a69"},${sent('3')}]`).toBe(true);
    const socket = new WebSocket(service.wsUrl);
    const messages: string[] = [];
    await once(socket, 'open');
    const both = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer, isBinary: boolean) => {
        expect(isBinary).toBe(false);
        if (messages.push(data.toString()) === 3) resolve();
      });
    });
    for (const [id, method] of ['eth_getLogs', 'eth_chainId', 'eth_getLogs'].entries())
      socket.send(JSON.stringify({ ...LOGS, id, method }));
    await both;
    expect(messages.sort((a, b) => a.length - b.length)[0]).toBe('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}');
    expect(
      new Set(messages.slice(1)).size === 2 && messages.slice(1).every((each) => [sent('0'), sent('2')].includes(each)),
    ).toBe(true);
    socket.terminate();
  });

  test('that is an error is forwarded with its data', async () => {
    const data = `{"a":1.10,"b":"${'x'.repeat(LONG)}"}`;
    const error = `{"code":3,"message":"execution reverted","data":${data}}`;
    for (const status of [200, 500]) {
      const service = await withNode((id) => `{"error": ${error},"id":${String(id)}, "result":null}`, status);
      const { text } = await ask(service, LOGS);
      expect(text === `{"jsonrpc":"2.0","id":"é","error":${error}}`).toBe(true);
    }
  });

  const refused = async (answer: (id: unknown) => string | Buffer, status?: number) => {
    const service = await withNode(answer, status);
    const { text } = await ask(service, LOGS);
    expect(await service.used()).toBe(0);
    return (JSON.parse(text) as { error: { message: string } }).error.message.replace(/^the network's /u, '');
  };

  test.each<[string, string, (id: unknown) => string | Buffer]>([
    ['not JSON', 'node sent a response that is not JSON', (id) => whole(id).replace(/\]\}$/u, '}')],
    ['cut', 'node sent a response that is not JSON', (id) => whole(id).slice(0, -1)],
    ['more than one', 'node sent a response that is not JSON', (id) => whole(id) + whole(id)],
    ['that ends the result early', 'node sent a response that is not JSON', (id) => whole(id, `${RESULT}},"x":[1`)],
    ['not UTF-8', 'node sent a response that is not JSON', (id) => Buffer.from(whole(id), 'latin1')],
    ['a list', 'node sent a response that is not JSON-RPC', () => RESULT],
    ['without a result', 'node sent a response that is not JSON-RPC', (id) => `{"id":${String(id)},"x":${RESULT}}`],
    ['to another request', 'node sent the response to another request', (id) => whole(Number(id) + 1)],
    ['with two IDs', 'node sent the response to another request', (id) => whole(id).replace(/\}$/u, ',"id":0}')],
    [
      'nested too deeply',
      'response is nested too deeply',
      (id) => whole(id, '['.repeat(4097) + RESULT + ']'.repeat(4097)),
    ],
  ])('%s is refused, and free', async (_name, why, answer) => {
    expect(await refused(answer)).toBe(why);
  });

  test.each([404, 500])('with the HTTP status %i is refused, JSON or not', async (status) => {
    for (const answer of [whole, () => `<html>${'x'.repeat(LONG)}`])
      expect(await refused(answer, status)).toBe(`node answered with HTTP status ${status}`);
  });
});
