import type { KeyLimits } from '../../../../src/service/keys/limits';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';

const LIMITS: Readonly<Record<string, KeyLimits>> = {
  reader: { storage: ['read'] },
  writer: { storage: ['read', 'write'] },
  pinner: { storage: ['pin'] },
  small: { pinnedBytes: 100 },
  slow: { requestsPerSecond: 1 },
  page: { origins: ['https://app.example'] },
};

const authorization = (key: string) => `Basic ${Buffer.from(`${key}:secret`).toString('base64')}`;
const HELLO = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    authenticate: (key) => Promise.resolve({ id: key, limits: LIMITS[key] }),
    origins: ['*'],
  });
});
afterAll(() => service.discard());

async function ask(key: string, path: string, file?: Buffer, headers: Record<string, string> = {}) {
  const { status, body } = await rawRequest(service.port, {
    path: `/api/v0/${path}`,
    headers: { Authorization: authorization(key), ...(file && FORM), ...headers },
    ...(file && { body: multipart({ content: file }) }),
  });
  return [status, body.toString().trimEnd()] as const;
}

const may = (what: string) => [403, `403 - Forbidden: this key may not ${what}`];
const hello = Buffer.from('hello world');

test('a key that may not write stores nothing, by whatever command', async () => {
  for (const path of ['add?pin=false', 'block/put', 'dag/put', 'dag/import?pin-roots=false', 'object/put'])
    expect(await ask('reader', path, hello)).toEqual(may('write files'));
  expect(await ask('reader', 'object/new')).toEqual(may('write files'));
  expect((await ask('reader', `block/stat?arg=${HELLO}`))[0]).toBe(500);
});

test('a key that may write but not pin stores what is not pinned, which is not what add does by itself', async () => {
  expect(await ask('writer', 'add?cid-version=1', hello)).toEqual(may('pin files'));
  expect(await ask('writer', 'dag/import', hello)).toEqual(may('pin files'));
  for (const path of ['block/put?pin=true', 'dag/put?pin=true', 'object/put?pin=true'])
    expect(await ask('writer', path, hello)).toEqual(may('pin files'));
  const [status, added] = await ask('writer', 'add?cid-version=1&pin=false', hello);
  expect([status, added]).toEqual([200, expect.stringContaining(`"Hash":"${HELLO}"`) as string]);
  for (const path of [`pin/add?arg=${HELLO}`, `pin/rm?arg=${HELLO}`, `pin/update?arg=${HELLO}&arg=${HELLO}`])
    expect(await ask('writer', path)).toEqual(may('pin files'));
  expect(await ask('reader', `cat?arg=${HELLO}`)).toEqual([200, 'hello world']);
  expect(await ask('pinner', `cat?arg=${HELLO}`)).toEqual(may('read files'));
  expect((await ask('pinner', `pin/add?arg=${HELLO}`))[0]).toBe(200);
  expect((await ask('pinner', 'version'))[0]).toBe(200);
});

test('the pins of a key hold no more than it may have', async () => {
  const [status, body] = await ask('small', 'add', Buffer.alloc(200));
  expect([status, body]).toEqual([
    400,
    expect.stringContaining('the pins of this key would hold more than the allowed 100 bytes') as string,
  ]);
  expect((await ask('small', 'add', Buffer.alloc(50)))[0]).toBe(200);
});

test('a page of another origin is refused', async () => {
  expect(await ask('page', 'id', undefined, { Origin: 'https://evil.example' })).toEqual(
    may('be used from https://evil.example'),
  );
  expect(await ask('page', 'id')).toEqual(may('be used without an origin'));
  expect((await ask('page', 'id', undefined, { Origin: 'https://app.example' }))[0]).toBe(200);
});

test('requests beyond the rate of the key are refused', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => ask('slow', 'id')));
  expect(answers).toContainEqual([429, 'limit exceeded: 1 requests per second of this key']);
});
