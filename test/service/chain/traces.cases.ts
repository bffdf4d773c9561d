import { keyId, KeysUnavailableError } from '../../../src/service/keys';
import { RefusalLog } from '../../../src/service/runtime/refusal-log';
import { startService, type TestService } from '../../support/service/service';
import { openSocket } from '../../support/service/socket';

const ASK = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' };
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

type Line = Record<string, unknown> & { msg: string };

const linesOf = ({ logged }: TestService, request: string | null): Line[] =>
  logged()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line['request'] === request);

test('nobody but a trusted proxy names a request, and not with anything that would spoil a log', async () => {
  const send = async (service: TestService, sent: string) =>
    (await service.post(ASK, { headers: { 'x-request-id': sent } })).headers.get('x-request-id');
  expect(await send(await startService(), 'mine')).toMatch(UUID);
  expect(await send(await startService({ trustedProxies: ['10.0.0.0/8', '127.0.0.2'] }), 'mine')).toMatch(UUID);
  const trusting = await startService({ trustedProxies: ['127.0.0.0/8', '::1'] });
  expect(await send(trusting, 'from-the:proxy.1')).toBe('from-the:proxy.1');
  for (const bad of ['', 'a b', 'x'.repeat(65), '"}', 'a, b']) expect(await send(trusting, bad)).toMatch(UUID);
});

test.each(['10.0.0.0/33', 'proxy.example', '10.0.0.1/', '::1/129', '1.2.3.4/8/8', ''])(
  'the proxy %j is refused',
  async (proxy) => {
    await expect(startService({ trustedProxies: [proxy] })).rejects.toThrow('trustedProxies.0: Expected an IP address');
  },
);

test('an answer has the ID of its line, which names the key but never shows it', async () => {
  const service = await startService();
  const { headers } = await service.post(ASK);
  const id = headers.get('x-request-id');
  expect(id).toMatch(UUID);
  expect((await service.post(ASK)).headers.get('x-request-id')).not.toBe(id);
  const { key } = service;
  const whose = { key: 'test', keyId: key.identity.id.slice(0, 8) };
  const asked = { network: 'mainnet', method: 'eth_chainId', transport: 'http' };
  expect(linesOf(service, id)).toEqual([
    expect.objectContaining({ ...whose, ...asked, outcome: 'ok', seconds: expect.any(Number) as number }),
  ]);
  for (const secret of [key.key, key.secret]) expect(service.logged()).not.toContain(secret);
});

test('a refused request has a line, whether its key is unknown, limited or cannot be verified', async () => {
  const service = await startService(
    {},
    {
      verify: (keys, key) =>
        key === 'lost' ? Promise.reject(new KeysUnavailableError('the store is gone')) : keys.verify(key),
    },
  );
  const { key } = await service.keys.create({ name: 'shop', limits: { methods: [] } });
  const lineOf = async (sent: string) => {
    const { status, headers } = await service.post(ASK, { key: sent });
    const refused = linesOf(service, headers.get('x-request-id')).filter(({ msg }) => msg !== 'answered');
    expect(refused).toHaveLength(1);
    return [status, refused[0]];
  };
  expect(await lineOf('nobody')).toEqual([
    401,
    expect.objectContaining({ status: 401, keyId: keyId('nobody').slice(0, 8), network: 'mainnet', level: 30 }),
  ]);
  expect(await lineOf('lost')).toEqual([
    503,
    expect.objectContaining({
      level: 40,
      status: 503,
      keyId: keyId('lost').slice(0, 8),
      msg: 'API keys cannot be verified right now, try again',
    }),
  ]);
  expect(await lineOf(key)).toEqual([
    403,
    expect.objectContaining({ status: 403, key: 'shop', method: 'eth_chainId', outcome: -32_002 }),
  ]);
  await service.keys.edit(key, { limits: { methods: null, requestsPerSecond: 1 } });
  await service.post(ASK, { key });
  expect(await lineOf(key)).toEqual([
    429,
    expect.objectContaining({ key: 'shop', msg: 'limit exceeded: 1 requests per second for this key' }),
  ]);
  expect(service.logged()).not.toContain(key);
});

test('a WebSocket has an ID, and each of its requests that ID with a number', async () => {
  const service = await startService();
  let id = '';
  const { socket, ask } = await openSocket(service.wsUrl, {
    finishRequest: (request) => {
      request.on('upgrade', ({ headers }) => (id = String(headers['x-request-id'])));
      request.end();
    },
  });
  expect(id).toMatch(UUID);
  for (let n = 1; n <= 2; n++) {
    await ask(ASK);
    expect(linesOf(service, `${id}.${n}`)).toEqual([expect.objectContaining({ key: 'test', transport: 'ws' })]);
  }
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await service.keys.revoke(service.key.key);
  expect(await ask(ASK)).toMatchObject({ error: { code: 401 } });
  expect(linesOf(service, `${id}.3`)).toEqual([expect.objectContaining({ status: 401, key: 'test' })]);
  await closed;
  await expect(openSocket(service.wsUrl)).rejects.toThrow('401');
});

test('a flood of refusals writes ten lines a second for each reason, and says how many it left out', () => {
  let now = 0;
  const lines: unknown[] = [];
  const write = (level: string) => (fields: object) => void lines.push({ level, ...fields });
  const log = new RefusalLog({ info: write('info'), warn: write('warn') }, { now: () => now });
  for (let n = 0; n < 1000; n++) log.write(401, () => ({ n }), 'refused');
  log.write(503, () => ({}), 'unavailable');
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toEqual({ level: 'warn', status: 503 });
  now = 1000;
  log.write(401, () => ({ n: 1000 }), 'refused');
  log.write(401, () => ({ n: 1001 }), 'refused');
  expect(lines.slice(-2)).toEqual([
    { level: 'info', n: 1000, status: 401, leftOut: 990 },
    { level: 'info', n: 1001, status: 401 },
  ]);
});
