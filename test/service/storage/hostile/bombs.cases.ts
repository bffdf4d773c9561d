import { uncharged } from '../../../../src/service/admission/uncharged';
import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
import { collect } from '../../../../src/clients/storage/bytes';
import { digestOf } from '../../../support/storage/digest';
import { DirectoryBuilder } from '../../../../src/service/storage/content/unixfs/directory-builder';
import { BlockMaker, buildFile, type Built } from '../../../../src/service/storage/content/unixfs/file-builder';
import { nameHash } from '../../../../src/service/storage/content/unixfs/hamt';
import { encodeVarint } from '../../../../src/service/storage/content/varint';
import { openRaw } from '../../../support/service/raw';
import { startTestService, type TestService } from '../../../support/storage/service';
import { expectWell, head, message, post, send } from '../../../support/storage/requests';

/** Found by inverting the last steps of MurmurHash3 (x64, 128 bits): one bit differs, and the next word cancels it. */
const NAMES_OF_ONE_HASH = [
  '\u076e2W\u03fd\u059d\ue0ebw\u02d0\u01f4\u5867Y\uf4243somename',
  '=O0ys1,f0dDKZy:B\u5867YrC\u05b0somename',
] as const;

async function* pieceOf(length: number) {
  yield await Promise.resolve(Buffer.alloc(length));
}

describe('bombs', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ limits: { dagPending: 500, entries: 300, dagDepth: 200, requestSeconds: 20 } });
  });
  afterAll(async () => {
    await expectWell(service);
    await service.discard();
  });

  const put = async (node: dagPb.PBNode): Promise<CID> => {
    const answer = await send(service, 'block/put?cid-codec=dag-pb', { content: dagPb.encode(node) });
    return CID.parse((JSON.parse(answer.body.toString()) as { Key: string }).Key);
  };
  const SHARD = new UnixFS({ type: 'hamt-sharded-directory', fanout: 256n, hashType: 0x22n }).marshal();
  const DIRECTORY = new UnixFS({ type: 'directory' }).marshal();
  const link = (Hash: CID, Name: string) => ({ Hash, Name, Tsize: 1 });
  const label = (index: number) => index.toString(16).toUpperCase().padStart(2, '0');

  test.each(['ls', 'get', 'ls?stream=true&', 'resolve'])(
    '%s of a sharded directory of sixty small blocks that expands to 10^60 shards',
    async (command) => {
      let cid = await put({ Data: SHARD, Links: [] });
      for (let level = 0; level < 60; level++) {
        cid = await put({ Data: SHARD, Links: Array.from({ length: 10 }, (_, i) => link(cid, label(i))) });
      }
      const path = command === 'resolve' ? `${cid.toString()}/name` : cid.toString();
      const answer = await post(service, `${command}${command.includes('?') ? '' : '?'}arg=${path}`);
      expect(message(answer)).toMatch(/^the sharded directory contains shard \w+ twice$|^no link named "name"/u);
    },
  );

  test('a directory that expands to 10^50 empty ones: the archive ends when the client disconnects', async () => {
    let cid = await put({ Data: DIRECTORY, Links: [] });
    for (let level = 0; level < 50; level++) {
      cid = await put({ Data: DIRECTORY, Links: Array.from({ length: 10 }, (_, i) => link(cid, `d${i}`)) });
    }
    const { write, until, socket } = await openRaw(service.url);
    write(head(`get?arg=${cid.toString()}`, ['Content-Length: 0']));
    await until(/d0\/d0\/d0/u);
    // Others are answered while it expands.
    expect((await post(service, 'version')).status).toBe(200);
    socket.destroy();
    expect((await post(service, `pin/add?arg=${cid.toString()}&progress=true`)).body.toString()).toContain(
      '"Progress":51',
    );
    await post(service, `pin/rm?arg=${cid.toString()}`);
  });

  test('a deep and broad directory: the queue of a traversal is bounded', async () => {
    let cid = await put({ Data: DIRECTORY, Links: [] });
    const absent = Array.from({ length: 20 }, (_, i) => CID.createV1(0x55, digestOf(0x12, Buffer.from(`absent ${i}`))));
    for (let level = 0; level < 60; level++) {
      const links = [link(cid, 'a'), ...absent.map((each, i) => link(each, `b${label(i)}`))];
      cid = await put({ Data: DIRECTORY, Links: links });
    }
    const expected = 'the DAG has more than the allowed 500 links side by side';
    expect(message(await post(service, `pin/add?arg=${cid.toString()}`))).toContain(expected);
    expect(message(await post(service, `dag/export?arg=${cid.toString()}`))).toContain(expected);
  });

  test('a listing held in memory is bounded, the same one streamed is not', async () => {
    const leaf = CID.createV1(0x55, digestOf(0, Buffer.from('x')));
    const cid = await put({
      Data: DIRECTORY,
      Links: Array.from({ length: 200 }, (_, i) => link(leaf, `f${i.toString().padStart(3, '0')}`)),
    });
    const twice = `arg=${cid.toString()}&arg=${cid.toString()}`;
    const refused = await post(service, `ls?${twice}`);
    expect([refused.status, message(refused)]).toEqual([
      400,
      'there are more than the allowed 300 entries; list them with stream=true',
    ]);
    expect((await post(service, `ls?stream=true&${twice}`)).body.toString().match(/"Objects"/gu)).toHaveLength(400);
  });

  test('so is a listing of pins, and of indirect pins', async () => {
    const leaves = Array.from({ length: 299 }, (_, i) => ({ content: `leaf ${i}`, filename: `d/${i}` }));
    expect((await send(service, 'add', ...leaves)).status).toBe(200);
    expect((await post(service, 'pin/ls')).status).toBe(200);
    expect((await send(service, 'add', { content: 'one more' })).status).toBe(200);
    const refused = await post(service, 'pin/ls');
    expect([refused.status, message(refused)]).toEqual([
      400,
      'there are more than the allowed 300 pins; list them with stream=true',
    ]);
    expect((await post(service, 'pin/ls?type=recursive')).status).toBe(200);
    expect((await post(service, 'pin/ls?stream=true')).body.toString().match(/"Cid"/gu)).toHaveLength(301);
  });

  test('colliding names are rejected in a large directory, without delaying others', async () => {
    const [one, other] = NAMES_OF_ONE_HASH;
    expect(Buffer.from(await nameHash(one)).equals(Buffer.from(await nameHash(other)))).toBe(true);
    const names = [one, other, ...Array.from({ length: 5000 }, (_, i) => `an ordinary name of a file, number ${i}`)];
    const parts = names.map((name) => ({ content: 'x', filename: encodeURIComponent(`d/${name}`) }));
    const answer = await send(service, 'add?quieter=true&pin=false', ...parts);
    expect(message(answer)).toMatch(/their hashes collide$/u);
    // In a small directory the same names are ordinary names.
    const small = await send(service, 'add?pin=false', ...parts.slice(0, 2));
    expect(small.body.toString()).toContain('"Name":"d"');
  });

  test.each<[string, (maker: BlockMaker, leaf: Built) => Promise<unknown>]>([
    [
      'a large directory',
      (maker, leaf) => {
        const builder = new DirectoryBuilder(maker, () => undefined);
        for (let index = 0; index < 5000; index++)
          builder.addFile([`an ordinary name of a file, number ${index}`], leaf);
        return collect(builder.finish());
      },
    ],
    ['content in chunks of one byte', (maker) => buildFile(pieceOf(5000), 1, maker)],
    [
      'many small blocks',
      async (maker) => {
        for (let index = 0; index < 5000; index++) await maker.block(0x55, Buffer.from('x'));
      },
    ],
  ])('%s: other requests run meanwhile', async (_name, build) => {
    const settings = {
      cidVersion: 0,
      rawLeaves: true,
      hash: 0x12,
      inlineLimit: undefined,
      maxLinks: 174,
      profile: 'unixfs-v0-2015',
    } as const;
    let asked = 0;
    const maker = new BlockMaker(settings, () => Promise.resolve(), { ...uncharged(), yield: () => void asked++ });
    const leaf = await maker.leaf([], 0);
    await build(maker, leaf);
    expect(asked).toBeGreaterThanOrEqual(5000);
  });

  test.each([
    ['a million empty maps', Buffer.concat([Buffer.from([0x9a, 0, 0x0f, 0x42, 0x40]), Buffer.alloc(1_000_000, 0xa0)])],
    ['lists within lists', Buffer.concat([Buffer.alloc(1_000_000, 0x81), Buffer.from([0x80])])],
  ])('%s as the header of a CAR file', async (_name, roots) => {
    // {"roots": …, "version": 1}
    const header = Buffer.concat([
      Buffer.from('a265726f6f7473', 'hex'),
      roots,
      Buffer.from('6776657273696f6e01', 'hex'),
    ]);
    const content = Buffer.concat([encodeVarint(header.length), header]);
    const answer = await send(service, 'dag/import', { content });
    expect(message(answer)).toMatch(/^invalid header: (?:nested too deeply: )?more than \d+ (?:values|levels)/u);
  });

  test('an identity CID instead of a directory, a shard, a file', async () => {
    const inline = (bytes: Uint8Array) => CID.createV1(0x70, digestOf(0, bytes)).toString();
    for (const command of ['ls', 'get', 'cat', 'dag/get', 'pin/add', 'object/get', 'object/stat', 'dag/export']) {
      for (const bytes of [Buffer.alloc(0), Buffer.alloc(128, 0x0a), dagPb.encode({ Data: SHARD, Links: [] })]) {
        const { status } = await post(service, `${command}?arg=${inline(bytes)}`);
        expect([200, 400, 500]).toContain(status);
      }
    }
  });
});
