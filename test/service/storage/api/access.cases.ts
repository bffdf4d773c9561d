import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { makeCertificate, noOpenssl } from '../../../support/service/certificate';
import { openRaw } from '../../../support/service/raw';
import { type KeyLimits } from '../../../../src/service/keys/limits';
import { KeysUnavailableError } from '../../../../src/service/keys';
import { authenticateWith } from '../../../../src/service/storage/part';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { FORM_LINE, head } from '../../../support/storage/requests';
import { startTestService, type TestService } from '../../../support/storage/service';

const CREDENTIALS: Readonly<Record<string, string>> = { alice: 'a-secret', bob: 'b-secret' };
const basic = (key: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
});
const ALICE = basic('alice', 'a-secret');
const BOB = basic('bob', 'b-secret');

describe('who may call', () => {
  let service: TestService;
  const logged: string[] = [];

  beforeAll(async () => {
    const log = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`);
    service = await startTestService({
      authenticate: (key, secret) =>
        key === 'lost'
          ? authenticateWith({ verify: () => Promise.reject(new KeysUnavailableError('no Redis')) })(key, secret)
          : Promise.resolve(CREDENTIALS[key] === secret ? { id: key } : undefined),
      origins: ['null', 'https://app.example'],
      operators: ['alice'],
      logger: { info: log, warn: log, error: log },
    });
  });
  afterAll(() => service.discard());

  const post = (path: string, headers: Record<string, string>, body?: Buffer) =>
    rawRequest(service.port, { path: `/api/v0/${path}`, headers, ...(body === undefined ? {} : { body }) });

  test.each([
    ['no credentials', {}],
    ['a wrong secret', basic('alice', 'b-secret')],
    ['an unknown key', basic('eve', '')],
    ['another scheme', { Authorization: 'Bearer abc' }],
    ['garbage', { Authorization: 'Basic %%%' }],
  ])('%s: 403, whatever is requested', async (_name, headers) => {
    for (const path of ['version', 'nosuch', 'add']) {
      const answer = await post(path, { ...headers, Origin: 'null' });
      expect(answer.status).toBe(403);
      expect(answer.body.toString()).toMatch(/basic credentials/);
      expect(answer.headers.get('access-control-allow-origin')).toBe('null');
    }
  });

  test('credentials that cannot be checked now: 503, to be tried again', async () => {
    const answer = await post('version', basic('lost', ''));
    expect([answer.status, answer.headers.get('retry-after'), answer.body.toString()]).toEqual([
      503,
      '1',
      'API keys cannot be verified right now; try again\n',
    ]);
  });

  test('valid credentials', async () => {
    expect((await post('version', ALICE)).status).toBe(200);
    expect((await post('nosuch', ALICE)).status).toBe(404);
  });

  test.each(['null', 'https://app.example'])('a preflight from %s needs no credentials', async (origin) => {
    const answer = await rawRequest(service.port, {
      method: 'OPTIONS',
      path: '/api/v0/add',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('access-control-allow-headers')).toContain('authorization');
  });

  test('other origins are rejected, and get no CORS headers', async () => {
    const answer = await post('version', { ...ALICE, Origin: 'https://evil.example' });
    expect([answer.status, answer.body.toString()]).toEqual([403, '403 - Forbidden\n']);
    expect(answer.headers.get('access-control-allow-origin')).toBeUndefined();
    expect((await post('version', { ...ALICE, Referer: 'https://evil.example/page' })).status).toBe(403);
    expect((await post('version', { ...ALICE, Referer: 'https://app.example/page' })).status).toBe(200);
  });

  test('every response has CORS headers, including errors and wrong methods', async () => {
    const answers = [
      await post('version', { ...ALICE, Origin: 'null' }),
      await post('cat?arg=bad', { ...ALICE, Origin: 'null' }),
      await post('cat', { ...ALICE, Origin: 'null' }),
      await rawRequest(service.port, { method: 'GET', path: '/api/v0/version', headers: { Origin: 'null' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 400, 405]);
    for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBe('null');
  });

  test('tenants see only their own pins, and cannot release those of others', async () => {
    const body = multipart({ content: 'shared', filename: 'f' });
    const [, cid = ''] = /"Hash":"(\w+)"/.exec((await post('add', { ...ALICE, ...FORM }, body)).body.toString()) ?? [];
    expect((await post('pin/ls', BOB)).body.toString()).toBe('{}\n');
    expect((await post(`pin/ls?arg=${cid}`, BOB)).status).toBe(500);
    expect((await post(`pin/rm?arg=${cid}`, BOB)).status).toBe(500);
    await post('add', { ...BOB, ...FORM }, body);
    expect((await post(`pin/rm?arg=${cid}`, ALICE)).status).toBe(200);
    await post('repo/gc', ALICE);
    expect((await post(`cat?arg=${cid}`, ALICE)).body.toString()).toBe('shared');
    expect((await post('pin/ls', ALICE)).body.toString()).toBe('{}\n');
  });

  test.each(['add', 'dag/put?pin=true&input-codec=raw&store-codec=raw', 'block/put?pin=true'])(
    '%s: a key that is revoked while its upload arrives is told so, and pins nothing',
    async (command) => {
      const secrets: Record<string, string> = { carol: 'c-secret' };
      const other = await startTestService({
        authenticate: (key, secret) => Promise.resolve(secrets[key] === secret ? { id: key } : undefined),
      });
      const whole = multipart({ content: 'an upload' });
      const { write, until, closed } = await openRaw(other.url);
      const credentials = `Authorization: ${basic('carol', 'c-secret').Authorization}`;
      write(
        head(command, [
          credentials,
          FORM_LINE,
          `Content-Length: ${whole.length}`,
          'Expect: 100-continue',
          'Connection: close',
        ]),
      );
      // It was authenticated before it was told to continue.
      await until(/100 Continue/u);
      write(whole.subarray(0, -20));
      delete secrets['carol'];
      write(whole.subarray(-20));
      expect(await closed).toMatch(/HTTP\/1\.1 403 [^]*Access denied|X-Stream-Error: Access denied/u);
      secrets['carol'] = 'c-secret';
      const pins = await rawRequest(other.port, { path: '/api/v0/pin/ls', headers: basic('carol', 'c-secret') });
      expect(pins.body.toString()).toBe('{}\n');
      await other.discard();
    },
  );

  test('a key that may no longer pin is told so when its upload has arrived, and pins nothing', async () => {
    const limits: KeyLimits = { storage: ['read', 'write', 'pin'] };
    const other = await startTestService({ authenticate: (id) => Promise.resolve({ id, limits: { ...limits } }) });
    const whole = multipart({ content: 'an upload' });
    const { write, until, closed } = await openRaw(other.url);
    const authorization = `Authorization: ${basic('carol', 'c').Authorization}`;
    const length = `Content-Length: ${whole.length}`;
    write(head('add', [authorization, FORM_LINE, length, 'Expect: 100-continue', 'Connection: close']));
    await until(/100 Continue/u);
    write(whole.subarray(0, -20));
    limits.storage = ['read'];
    write(whole.subarray(-20));
    expect(await closed).toMatch(/this key may not (?:write|pin) files/u);
    const pins = await rawRequest(other.port, { path: '/api/v0/pin/ls', headers: basic('carol', 'c') });
    expect(pins.body.toString()).toBe('{}\n');
    await other.discard();
  });

  test('a key that is revoked during an upload that goes on and on is told so before its end', async () => {
    let isRevoked = false;
    const other = await startTestService({
      authenticate: (id) => Promise.resolve(isRevoked ? undefined : { id }),
    });
    const body = multipart({ content: Buffer.alloc(6 << 20) });
    const { write, until, closed } = await openRaw(other.url);
    const authorization = `Authorization: ${basic('carol', 'c').Authorization}`;
    write(head('add', [authorization, FORM_LINE, `Content-Length: ${10 ** 9}`, 'Expect: 100-continue']));
    await until(/100 Continue/u);
    isRevoked = true;
    // Of an upload that would go on for a gigabyte.
    write(body.subarray(0, 5 << 20));
    await until(/Access denied/u);
    await closed;
    await other.discard();
  });

  test("commands that affect everyone's blocks are for operators", async () => {
    for (const path of ['repo/gc', 'repo/stat', 'block/rm?arg=QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn']) {
      expect((await post(path, BOB)).status).toBe(403);
      expect((await post(path, ALICE)).status).toBe(200);
    }
  });

  test('no secret is logged', () => {
    expect(logged.length).toBeGreaterThan(10);
    expect(logged.join('\n')).not.toMatch(/secret|Basic|Authorization/);
  });
});

test('the line of a request names its key, with the first 8 digits of its ID', async () => {
  const lines: object[] = [];
  const log = (fields: object) => lines.push(fields);
  const service = await startTestService({
    authenticate: () => Promise.resolve({ id: '0123456789abcdef', name: 'shop' }),
    logger: { info: log, warn: log, error: log },
  });
  const answers = [];
  for (const path of ['version', 'pin/add'])
    answers.push(await rawRequest(service.port, { path: `/api/v0/${path}`, headers: basic('key', 'secret') }));
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  const [answered, refused] = answers.map(({ headers }) =>
    lines.find((line) => 'request' in line && line.request === headers.get('x-request-id')),
  );
  expect(answered).toMatchObject({ key: 'shop', keyId: '01234567', command: 'version', status: 200 });
  expect(refused).toMatchObject({ key: 'shop', keyId: '01234567', command: 'pin/add', status: 400 });
  expect(JSON.stringify(lines)).not.toContain('0123456789');
  await service.discard();
});

(noOpenssl === undefined ? test : test.skip)(
  `with a certificate the service speaks TLS${noOpenssl === undefined ? '' : ` (${noOpenssl})`}`,
  async () => {
    const tls = makeCertificate();
    const service = await startTestService({ tls });
    expect(service.url).toMatch(/^https:/);
    const sent = httpsRequest(`${service.url}/api/v0/add`, {
      method: 'POST',
      ca: readFileSync(tls.cert),
      agent: false,
      headers: FORM,
    });
    sent.end(multipart({ content: 'hello world\n', filename: 'f' }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(JSON.parse(await text(response))).toMatchObject({ Hash: 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o' });
    // Plain HTTP is not answered.
    await expect(fetch(service.url.replace('https', 'http'), { method: 'POST' })).rejects.toThrow();
    await service.discard();
  },
);
