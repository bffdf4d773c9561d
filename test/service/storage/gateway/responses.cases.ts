import * as dagCbor from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { StorageClient } from '../../../../src/clients/storage';
import { digestOf } from '../../../support/storage/digest';
import { openRaw } from '../../../support/service/raw';
import { someBytes } from '../../../support/storage/content';
import { ask, type Block, type GatewayService, readCarFile, startTestGateway, storeBlocks } from './kit';

const RAW = 'application/vnd.ipld.raw';
const CAR = 'application/vnd.ipld.car';
const CAR_TYPE = `${CAR}; version=1; order=dfs; dups=n`;
const IMMUTABLE = 'public, max-age=29030400, immutable';
const ABSENT = CID.createV1(0x55, digestOf(0x12, Buffer.from('absent'))).toString();
const EMPTY = 'bafkqaaa';

let service: GatewayService;
let content: Buffer;
let file: string;
let directory: string;
beforeAll(async () => {
  service = await startTestGateway();
  const client = new StorageClient({ url: service.url });
  content = someBytes(300);
  file = (await client.add(content, { cidVersion: 1 })).cid;
  const entries = await client.addAll([{ path: 'd/a name', content }], { cidVersion: 1 });
  directory = entries.at(-1)?.cid ?? '';
});
afterAll(() => service.discard());

describe('a raw block', () => {
  test.each([
    ['by query', `?format=raw`, {}, undefined],
    ['by header', '', { Accept: RAW }, `?format=raw`],
    ['by header, among others', '?x=1', { Accept: `text/html, ${CAR};q=0.2, ${RAW} ; q=0.5` }, `?x=1&format=raw`],
    ['by query, which goes before the header', '?format=raw', { Accept: CAR }, undefined],
  ])('%s', async (_name, query, headers, location) => {
    const answer = await ask(service, `/ipfs/${file}${query}`, headers);
    expect(answer.status).toBe(200);
    expect(Buffer.compare(answer.body, content)).toBe(0);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': RAW,
      'content-length': '300',
      'content-disposition': `attachment; filename="${file}.bin"; filename*=UTF-8''${file}.bin`,
      'x-content-type-options': 'nosniff',
      etag: `"${file}.raw"`,
      'cache-control': IMMUTABLE,
      vary: 'Accept',
      'accept-ranges': 'none',
      'access-control-allow-origin': '*',
      'x-ipfs-path': `/ipfs/${file}`,
    });
    expect(answer.headers.get('content-location')).toBe(location && `/ipfs/${file}${location}`);
  });

  test('of an identity CID is in the CID', async () => {
    const cid = CID.createV1(0x55, Digest.create(0, Buffer.from('hello'))).toString();
    expect((await ask(service, `/ipfs/${cid}?format=raw`)).body.toString()).toBe('hello');
    const probe = await ask(service, `/ipfs/${EMPTY}`, { Accept: RAW });
    expect([probe.status, probe.body.length, probe.headers.get('content-length')]).toEqual([200, 0, '0']);
    expect((await ask(service, `/ipfs/${EMPTY}?format=raw`, {}, 'HEAD')).status).toBe(200);
  });

  test('has no path, since a client could not verify it', async () => {
    const { status, body } = await ask(service, `/ipfs/${directory}/a%20name?format=raw`);
    expect([status, body.toString()]).toEqual([400, expect.stringContaining('a raw block has no path')]);
  });

  test('by HEAD: the headers without the block', async () => {
    const { status, headers, body } = await ask(service, `/ipfs/${file}?format=raw`, {}, 'HEAD');
    expect([status, headers.get('content-length'), body.length]).toEqual([200, '300', 0]);
  });
});

describe('a CAR file', () => {
  test.each([
    ['by query', '?format=car', {}, undefined],
    [
      'by header',
      '',
      { Accept: `${CAR}; version=1; order=dfs; dups=n` },
      '?format=car&car-version=1&car-order=dfs&car-dups=n',
    ],
  ])('%s', async (_name, query, headers, location) => {
    const answer = await ask(service, `/ipfs/${file}${query}`, headers);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': CAR_TYPE,
      'content-disposition': `attachment; filename="${file}.car"; filename*=UTF-8''${file}.car`,
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(new RegExp(`^W/"${file}\\.car\\.[0-9a-f]{16}"$`)) as unknown,
      'cache-control': IMMUTABLE,
      vary: 'Accept',
      'access-control-allow-origin': '*',
    });
    expect(answer.headers.get('content-location')).toBe(location && `/ipfs/${file}${location}`);
    expect(await readCarFile(answer.body)).toMatchObject({ roots: [file], cids: [file] });
  });

  test('by HEAD: the headers alone', async () => {
    const { status, headers, body } = await ask(service, `/ipfs/${file}?format=car`, {}, 'HEAD');
    expect([status, headers.get('content-type'), body.length]).toEqual([200, CAR_TYPE, 0]);
  });

  test('of the probe has its root, and no identity block', async () => {
    const { status, body } = await ask(service, `/ipfs/${EMPTY}?format=car`);
    expect(status).toBe(200);
    expect(await readCarFile(body)).toMatchObject({ roots: [EMPTY], cids: [] });
  });

  test.each([
    [`${CAR}; order=unk`, 'n'],
    [`${CAR}; dups=y`, 'y'],
    [`${CAR}; order=sorted; dups=y, ${CAR}; order=dfs; dups=n; q=0.5`, 'n'],
    [`${CAR};version=1;order=dfs;dups=n;q=0.3, ${CAR};dups="y";q=0.7`, 'y'],
  ])('%s: dups=%s', async (accept, dups) => {
    const { headers } = await ask(service, `/ipfs/${file}`, { Accept: accept });
    expect(headers.get('content-type')).toBe(`${CAR}; version=1; order=dfs; dups=${dups}`);
  });

  test('parameters of the query go before those of the header', async () => {
    const { headers } = await ask(service, `/ipfs/${file}?format=car&car-dups=y`, { Accept: `${CAR}; dups=n` });
    expect(headers.get('content-type')).toBe(`${CAR}; version=1; order=dfs; dups=y`);
  });
});

describe('file names', () => {
  test.each([
    ['a.car', `attachment; filename="a.car"; filename*=UTF-8''a.car`],
    ['%C3%A4%22%0D%0AX: y', `attachment; filename="____X: y"; filename*=UTF-8''%C3%A4%22%0D%0AX%3A%20y`],
    ["it's (1)*", `attachment; filename="it's (1)*"; filename*=UTF-8''it%27s%20%281%29%2A`],
  ])('%s', async (name, expected) => {
    const { headers } = await ask(service, `/ipfs/${file}?format=raw&filename=${name.replaceAll(' ', '%20')}`);
    expect(headers.get('content-disposition')).toBe(expected);
  });
});

describe('conditional requests', () => {
  const etagOf = async (query: string) => (await ask(service, `/ipfs/${query}`, {}, 'HEAD')).headers.get('etag') ?? '';

  test.each(['raw', 'car'])('%s: 304 for a tag that the client knows', async (format) => {
    const query = `${file}?format=${format}`;
    const etag = await etagOf(query);
    for (const known of [etag, `"x", ${etag}`, etag.replace('W/', '')]) {
      const { status, headers, body } = await ask(service, `/ipfs/${query}`, { 'If-None-Match': known });
      expect([status, body.length]).toEqual([304, 0]);
      expect(Object.fromEntries(headers)).toMatchObject({ etag, 'cache-control': IMMUTABLE, vary: 'Accept' });
    }
    expect((await ask(service, `/ipfs/${query}`, { 'If-None-Match': '"x"' })).status).toBe(200);
  });

  test('a client that asks for anything at all gets the content, or hears that there is none', async () => {
    const asked = (cid: string) => ask(service, `/ipfs/${cid}?format=raw`, { 'If-None-Match': '*' });
    expect((await asked(file)).status).toBe(200);
    expect((await asked(ABSENT)).status).toBe(404);
  });

  test('everything that changes a CAR file changes its tag', async () => {
    const root = `${directory}?format=car`;
    const queries = [
      root,
      `${root}&dag-scope=block`,
      `${root}&dag-scope=entity`,
      `${root}&entity-bytes=0:9`,
      `${root}&entity-bytes=0:*`,
      `${root}&car-dups=y`,
      `${directory}/a%20name?format=car`,
      `${directory}?format=raw`,
    ];
    const tags = await Promise.all(queries.map(etagOf));
    expect(new Set(tags).size).toBe(queries.length);
    expect(await etagOf(`${root}&dag-scope=all&car-dups=n`)).toBe(tags[0]);
  });
});

describe('refusals', () => {
  const CID_TEXT = 'bafkreiadsbmmn4waznesyuz3bjgrj33xzqhxrk6mz3ksq7meugrachh3qe';
  test.each([
    ['a malformed CID', '/ipfs/nonsense?format=raw', {}, 400, 'invalid cid'],
    ['a malformed path', `/ipfs/${CID_TEXT}/%ff?format=car`, {}, 400, 'the path is not valid percent-encoding'],
    ['a malformed query', `/ipfs/${CID_TEXT}?format=car&x=%zz`, {}, 400, 'the query is not valid percent-encoding'],
    ['no format at all', `/ipfs/${CID_TEXT}`, {}, 400, 'format=raw'],
    ['a page', `/ipfs/${CID_TEXT}`, { Accept: 'text/html, */*;q=0.8' }, 406, 'format=car'],
    ['a refused type', `/ipfs/${CID_TEXT}`, { Accept: `${RAW};q=0` }, 406, 'format=car'],
    ['TAR', `/ipfs/${CID_TEXT}?format=tar`, { Accept: RAW }, 406, 'format=car'],
    ['a record of a name', `/ipfs/${CID_TEXT}?format=ipns-record`, {}, 406, 'format=car'],
    ['CAR version 2', `/ipfs/${CID_TEXT}`, { Accept: `${CAR}; version=2` }, 400, 'version must be 1'],
    ['an unknown order', `/ipfs/${CID_TEXT}?format=car&car-order=bfs`, {}, 400, 'order must be'],
    ['unknown duplicates', `/ipfs/${CID_TEXT}?format=car&car-dups=maybe`, {}, 400, 'dups must be'],
    ['an unknown scope', `/ipfs/${CID_TEXT}?format=car&dag-scope=some`, {}, 400, 'dag-scope must be'],
    ['a malformed range', `/ipfs/${CID_TEXT}?format=car&entity-bytes=1-2`, {}, 400, 'entity-bytes must be'],
    ['a range without a start', `/ipfs/${CID_TEXT}?format=car&entity-bytes=*:5`, {}, 400, 'entity-bytes must be'],
    ['a long name', `/ipfs/${CID_TEXT}?format=raw&filename=${'x'.repeat(256)}`, {}, 400, 'limit of 255'],
    ['a long path', `/ipfs/${CID_TEXT}/${'x'.repeat(4096)}?format=car`, {}, 400, 'limit of 4096'],
    ['a deep path', `/ipfs/${CID_TEXT}${'/x'.repeat(129)}?format=car`, {}, 400, 'limit of 128'],
    ['a name', '/ipns/example.com?format=car', {}, 501, 'names are not resolved'],
    ['no CID', '/ipfs/?format=car', {}, 404, '/ipfs/<cid>'],
    ['another path', '/api/v0/version', {}, 404, '/ipfs/<cid>'],
    ['the root', '/', {}, 404, '/ipfs/<cid>'],
    ['a block that is not stored', `/ipfs/${ABSENT}?format=raw`, {}, 404, 'not stored'],
    ['a CAR file of it', `/ipfs/${ABSENT}?format=car`, {}, 404, 'not stored'],
    [
      'the same if cached',
      `/ipfs/${ABSENT}?format=raw`,
      { 'Cache-Control': 'no-cache, only-if-cached' },
      412,
      'not stored',
    ],
  ])('%s', async (_name, path, headers, status, reason) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(service, path, headers, method);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(answer.headers.has('etag')).toBe(false);
      expect(answer.body.toString()).toEqual(method === 'HEAD' ? '' : expect.stringContaining(reason));
    }
  });

  test.each(['a', 'a name/b'])('a path that does not exist: %s', async (path) => {
    const { status } = await ask(service, `/ipfs/${directory}/${path.replaceAll(' ', '%20')}?format=car`);
    expect(status).toBe(404);
  });

  test('a path over a block that is not stored', async () => {
    const value = { next: CID.parse(ABSENT) };
    const bytes = dagCbor.encode(value);
    const block: Block = { cid: CID.createV1(dagCbor.code, digestOf(0x12, bytes)), bytes };
    await storeBlocks(service, [block]);
    const { status, body } = await ask(service, `/ipfs/${block.cid.toString()}/next?format=car`);
    expect([status, body.toString()]).toEqual([404, expect.stringContaining('a block on the path is not stored')]);
  });

  test('a codec whose links are not known here, unless one block is enough', async () => {
    const bytes = Buffer.from('tree');
    const cid = CID.createV1(0x78, digestOf(0x12, bytes));
    await storeBlocks(service, [{ cid, bytes }]);
    const path = `/ipfs/${cid.toString()}?format=car`;
    const { status, body } = await ask(service, path);
    expect([status, body.toString()]).toEqual([501, expect.stringContaining('dag-scope=block')]);
    for (const scope of ['block', 'entity'])
      expect((await readCarFile((await ask(service, `${path}&dag-scope=${scope}`)).body)).cids).toEqual([String(cid)]);
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s', async (method) => {
    const { status, headers } = await ask(service, `/ipfs/${file}?format=raw`, {}, method);
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('preflights are answered', async () => {
    const asked = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' };
    const { status, headers } = await ask(service, `/ipfs/${file}`, asked, 'OPTIONS');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toContain('Accept');
  });
});

test('what the gateway serves, the API of the service does not, and the other way round', async () => {
  const { status } = await ask(service, '/api/v0/add', {}, 'POST');
  expect(status).toBe(405);
  const answer = await fetch(`${service.url}/ipfs/${file}?format=raw`);
  expect(answer.status).toBe(405);
});

test('pipelined requests are answered in turn', async () => {
  const connection = await openRaw(service.at.url);
  const request = `GET /ipfs/${file}?format=raw HTTP/1.1\r\nHost: x\r\n`;
  connection.write(`${request}\r\n${request}Connection: close\r\n\r\n`);
  const received = await connection.closed;
  expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});
