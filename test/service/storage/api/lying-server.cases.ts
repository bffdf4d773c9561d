import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
import { StorageClient } from '../../../../src/clients/storage';
import { collect, varint } from '../../../../src/clients/storage/bytes';
import { cidBytes, cidOf, DAG_PB } from '../../../../src/clients/storage/cid';
import { DagClient } from '../../../../src/clients/storage/dag';
import { encodeLeaf } from '../../../../src/clients/storage/node';
import { digestOf } from '../../../support/storage/digest';
import { failureOf } from '../../../support/storage/failure';

describe('the storage client against a malicious server', () => {
  let server: Server;
  let answer: (path: string, response: ServerResponse) => void;
  let client: StorageClient;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        answer(request.url ?? '', response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = new StorageClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const HELLO = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';

  test('wrong bytes', async () => {
    answer = (_path, response) => response.end('something else');
    expect((await failureOf(client.read(HELLO))).kind).toBe('integrity');
  });

  test('a wrong CID for added content', async () => {
    answer = (_path, response) => response.end(`{"Name":"${HELLO}","Hash":"${HELLO}","Size":"20"}\n`);
    expect((await failureOf(client.add('other content'))).kind).toMatch(/integrity|truncated/);
  });

  test('an unverified file that is shorter than announced', async () => {
    answer = (_path, response) => response.writeHead(200, { 'X-Content-Length': '100' }).end('short');
    expect((await failureOf(client.read(HELLO, { verify: false }))).kind).toBe('truncated');
    answer = (_path, response) => response.end('no length at all');
    expect((await failureOf(client.read(HELLO, { verify: false }))).kind).toBe('truncated');
  });

  test('a node whose link is too long for a CID', async () => {
    const link = Buffer.concat([Buffer.from([1, 0x55, 0, ...varint(1000)]), Buffer.alloc(1000)]);
    const inner = [0x0a, ...varint(link.length), ...link];
    const block = Uint8Array.from([0x12, ...varint(inner.length), ...inner]);
    const { text } = await cidOf(0, DAG_PB, block);
    answer = (_path, response) => response.end(block);
    expect((await failureOf(client.objectGet(text))).kind).toBe('integrity');
  });

  test('a stream of objects that is truncated, or ends with an error', async () => {
    answer = (_path, response) => response.end('{"Cid":"a","Type":"recursive"}\n{"Cid":');
    expect((await failureOf(collect(client.pinLs()))).kind).toBe('truncated');
    answer = (_path, response) =>
      response.end('{"Cid":"a","Type":"recursive"}\n{"Message":"broken","Code":0,"Type":"error"}\n');
    expect(await failureOf(collect(client.pinLs()))).toMatchObject({ kind: 'stream', message: 'broken' });
  });

  const LINES = [
    'null',
    'true',
    '5',
    '[]',
    '{}',
    '{"Cid":null}',
    '{"Cid":5}',
    '{"Root":{}}',
    '{"Root":null}',
    '{"Key":7}',
  ];
  test.each(LINES)('%s as a response', async (line) => {
    answer = (_path, response) => response.end(`${line}\n`);
    const dag = new DagClient(client);
    const calls = [
      () => client.add('x'),
      () => client.addAll([{ path: 'a/b', content: 'x' }]),
      () => client.blockGet(HELLO),
      () => client.objectGet(HELLO),
      () => collect(client.ls(HELLO)),
      () => dag.put({}),
      () => dag.putBlock(Buffer.from('x')),
      () => dag.import(Buffer.from('x')),
      () => collect(dag.export(HELLO)),
    ];
    for (const call of calls) expect((await failureOf(call())).message).not.toBe('');
  });

  test('endless CIDs', async () => {
    for (const start of ['Q', 'z', 'b']) {
      const long = start.padEnd(2_000_000, '2');
      answer = (_path, response) => response.end(`{"Name":"f","Hash":"${long}","Size":"9","Key":"${long}"}\n`);
      expect((await failureOf(client.add('x', { name: 'f' }))).kind).toBe('unsupported');
      expect((await failureOf(new DagClient(client).putBlock(Buffer.from('x')))).kind).toBe('unsupported');
    }
  });

  test("a size that differs from the file's", async () => {
    const { text } = await cidOf(0, DAG_PB, encodeLeaf(Buffer.from('x')));
    for (const size of ['"8"', '"nine"', 'null']) {
      answer = (_path, response) => response.end(`{"Name":"f","Hash":"${text}","Size":${size}}\n`);
      expect((await failureOf(client.add('x', { name: 'f' }))).kind).toBe('truncated');
    }
    answer = (_path, response) => response.end(`{"Name":"f","Hash":"${text}","Size":"9"}\n`);
    expect(await client.add('x', { name: 'f' })).toEqual({ path: 'f', cid: text, size: 9 });
  });

  test('an empty length for an empty response', async () => {
    answer = (_path, response) => response.writeHead(200, { 'X-Content-Length': '' }).end();
    expect((await failureOf(client.read(HELLO, { verify: false }))).kind).toBe('truncated');
  });

  test('a connection that breaks', async () => {
    answer = (_path, response) => {
      response.writeHead(200, { 'Content-Length': '100', 'X-Content-Length': '100' });
      response.write('part', () => response.destroy());
    };
    expect((await failureOf(client.read(HELLO, { verify: false }))).kind).toBe('network');
  });

  test('a sharded directory of thirty small blocks that expands to 10^30 shards', async () => {
    const blocks = new Map<string, Uint8Array>();
    const put = (links: readonly CID[]) => {
      const Data = new UnixFS({ type: 'hamt-sharded-directory', fanout: 256n, hashType: 0x22n }).marshal();
      const Links = links.map((Hash, index) => ({ Hash, Name: `0${index}`, Tsize: 1 }));
      const bytes = dagPb.encode({ Data, Links });
      const cid = CID.createV1(dagPb.code, digestOf(0x12, bytes));
      blocks.set(cid.toString(), bytes);
      return cid;
    };
    let root = put([]);
    for (let level = 0; level < 30; level++) root = put(Array.from({ length: 10 }, () => root));
    answer = (path, response) => response.end(blocks.get(new URLSearchParams(path.split('?')[1]).get('arg') ?? ''));
    expect((await failureOf(collect(client.ls(root.toString())))).kind).toBe('integrity');
    expect((await failureOf(client.read(`${root.toString()}/name`))).kind).toBe('integrity');
  });

  test('nodes that claim more than they hold, or are nested endlessly', async () => {
    const dag = new DagClient(client);
    // Nested lists that claim half a million items each. Allocating a few hundred of them would exhaust the memory.
    const list = Buffer.from('9a00080000', 'hex');
    const nested = Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const header = Buffer.from('11a265726f6f7473806776657273696f6e01', 'hex');
    const claims = Buffer.concat(Array.from({ length: 1 << 17 }, () => list));
    const { text } = await cidOf(1, 0x71, claims);
    answer = (_path, response) => response.end(claims);
    expect((await failureOf(dag.get(text))).kind).toBe('integrity');
    const deep = await cidOf(1, 0x0129, nested);
    const section = Buffer.concat([cidBytes(deep), nested]);
    answer = (_path, response) => response.end(Buffer.concat([header, Buffer.from(varint(section.length)), section]));
    expect((await failureOf(collect(dag.export(deep.text)))).kind).toBe('integrity');
  });

  test('an incomplete CAR', async () => {
    const header = Buffer.from('11a265726f6f7473806776657273696f6e01', 'hex');
    const dag = new DagClient(client);
    answer = (_path, response) => response.end(header);
    expect((await failureOf(collect(dag.export(HELLO)))).kind).toBe('truncated');
    answer = (_path, response) => response.end(header.subarray(0, 9));
    expect((await failureOf(collect(dag.export(HELLO)))).kind).toBe('truncated');
    answer = (_path, response) => response.end(Buffer.concat([header, Buffer.from(varint(2 ** 40)), header]));
    expect((await failureOf(collect(dag.export(HELLO)))).kind).toBe('integrity');
  });
});
