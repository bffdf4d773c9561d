import * as dagCbor from '@ipld/dag-cbor';
import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { exporter, type ReadableStorage } from 'ipfs-unixfs-exporter';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { StorageClient } from '../../../../src/clients/storage';
import { digestOf } from '../../../support/storage/digest';
import { collect, someBytes } from '../../../support/storage/content';
import { post } from '../../../support/storage/requests';
import {
  ask,
  type Block,
  type GatewayService,
  readCarFile,
  shardedDirectory,
  startTestGateway,
  storeBlocks,
} from './kit';

const CHUNK = 1000;

let service: GatewayService;
let client: StorageClient;
beforeAll(async () => {
  service = await startTestGateway();
  client = new StorageClient({ url: service.url });
});
afterAll(() => service.discard());

const blockOf = (codec: number, bytes: Uint8Array): Block => ({
  cid: CID.createV1(codec, digestOf(0x12, bytes)),
  bytes,
});
const node = (unixFs: UnixFS | undefined, ...links: readonly (readonly [name: string, cid: CID])[]): Block =>
  blockOf(
    dagPb.code,
    dagPb.encode(
      dagPb.prepare({
        ...(unixFs && { Data: unixFs.marshal() }),
        Links: links.map(([Name, Hash]) => ({ Name, Hash })),
      }),
    ),
  );

/** Stores a file in leaves of {@link CHUNK} bytes, four to a node; its CID, and those of its leaves. */
async function storeFile(content: Uint8Array): Promise<{ root: string; leaves: string[]; nodes: string[] }> {
  const leaves: { block: Block; size: number }[] = [];
  for (let at = 0; at < content.length; at += CHUNK) {
    const bytes = content.subarray(at, at + CHUNK);
    leaves.push({ block: blockOf(0x55, bytes), size: bytes.length });
  }
  const parent = (children: readonly { block: Block; size: number }[]) => {
    const unixFs = new UnixFS({ type: 'file', blockSizes: children.map(({ size }) => BigInt(size)) });
    const block = node(unixFs, ...children.map(({ block: { cid } }) => ['', cid] as const));
    return { block, size: children.reduce((sum, { size }) => sum + size, 0) };
  };
  const nodes = [];
  for (let at = 0; at < leaves.length; at += 4) nodes.push(parent(leaves.slice(at, at + 4)));
  const root = parent(nodes);
  await storeBlocks(
    service,
    [root, ...nodes, ...leaves].map(({ block }) => block),
  );
  const text = ({ block }: { block: Block }) => block.cid.toString();
  return { root: text(root), leaves: leaves.map(text), nodes: nodes.map(text) };
}

/** A store of what was received, for the exporter. */
const storeOf = (blocks: readonly Block[]): ReadableStorage => {
  const byCid = new Map(blocks.map(({ cid, bytes }) => [cid.toString(), bytes]));
  return {
    *get(cid) {
      const bytes = byCid.get(cid.toString());
      if (bytes === undefined) throw new Error(`${cid.toString()} was not received`);
      yield bytes;
    },
  };
};

const carOf = async (path: string, query = '') => {
  const { status, body } = await ask(service, `/ipfs/${path}?format=car${query}`);
  if (status !== 200) return { status, cids: body.toString(), roots: [] };
  return { status, ...(await readCarFile(body)) };
};
const cidsOf = async (path: string, query = '') => (await carOf(path, query)).cids;

describe('a file', () => {
  let content: Buffer;
  let root: string;
  let leaves: string[];
  let nodes: string[];
  beforeAll(async () => {
    content = someBytes(9 * CHUNK + 1);
    ({ root, leaves, nodes } = await storeFile(content));
  });

  test.each(['', '&dag-scope=all', '&dag-scope=entity', '&entity-bytes=0:*'])(
    'all of it, depth first: %s',
    async (query) => {
      const [a = '', b = '', c = ''] = nodes;
      expect(await cidsOf(root, query)).toEqual([
        root,
        ...[a, ...leaves.slice(0, 4)],
        ...[b, ...leaves.slice(4, 8)],
        ...[c, ...leaves.slice(8)],
      ]);
    },
  );

  test('its root alone', async () => {
    expect(await cidsOf(root, '&dag-scope=block')).toEqual([root]);
  });

  test.each([
    ['0:0', [0]],
    ['0:999', [0]],
    ['999:1000', [0, 1]],
    ['1000:1000', [1]],
    ['3500:4100', [3, 4]],
    ['8999:*', [8, 9]],
    ['8999:100000', [8, 9]],
    ['-1:*', [9]],
    ['-1002:-2', [7, 8]],
    ['499:-7001', [0, 1, 2]],
    ['-100000:0', [0]],
  ])('the range %s: leaves %j', async (range, wanted) => {
    const expected = [0, 1, 2].flatMap((index) => {
      const own = wanted.filter((leaf) => Math.floor(leaf / 4) === index);
      return own.length > 0 ? [nodes[index], ...own.map((leaf) => leaves[leaf])] : [];
    });
    // A range implies the scope.
    for (const scope of ['', '&dag-scope=all'])
      expect(await cidsOf(root, `&entity-bytes=${range}${scope}`)).toEqual([root, ...expected]);
  });

  test.each(['5:4', '-1:-2'])('an empty range is one block: %s', async (range) => {
    expect(await cidsOf(root, `&entity-bytes=${range}`)).toEqual([root]);
  });

  test.each(['9001:*', '9001:9002', '-20000:-10000'])('a range outside it is refused: %s', async (range) => {
    const { status, cids } = await carOf(root, `&entity-bytes=${range}`);
    expect([status, cids]).toEqual([400, expect.stringContaining('outside the file, which has 9001 bytes')]);
  });

  test('of one block, or of none', async () => {
    const [leaf = ''] = leaves;
    expect(await cidsOf(leaf, '&entity-bytes=5:10')).toEqual([leaf]);
    expect(await cidsOf('bafkqaaa', '&entity-bytes=0:*')).toEqual([]);
  });

  test('a reader of others puts together what it contains', async () => {
    const { blocks } = await readCarFile((await ask(service, `/ipfs/${root}?format=car`)).body);
    const entry = await exporter(CID.parse(root), storeOf(blocks));
    if (!('content' in entry)) throw new Error('the root is no file');
    expect(Buffer.compare(Buffer.concat(await collect(entry.content())), content)).toBe(0);
  });
});

describe('blocks that occur more than once', () => {
  // Two equal nodes of four equal leaves each.
  const same = Buffer.alloc(8 * CHUNK, 7);
  let file: Awaited<ReturnType<typeof storeFile>>;
  beforeAll(async () => {
    file = await storeFile(same);
  });

  test.each(['', '&dag-scope=entity', '&entity-bytes=0:*'])('are sent once: %s', async (query) => {
    expect(await cidsOf(file.root, query)).toEqual([file.root, file.nodes[0], file.leaves[0]]);
  });

  test('are sent every time with dups=y', async () => {
    const [a = '', leaf = ''] = [file.nodes[0], file.leaves[0]];
    const one = [a, leaf, leaf, leaf, leaf];
    expect(await cidsOf(file.root, '&car-dups=y')).toEqual([file.root, ...one, ...one]);
  });

  test('other parts of a node that was sent are not left out', async () => {
    const half = someBytes(4 * CHUNK);
    const { root, nodes, leaves } = await storeFile(Buffer.concat([half, half]));
    // The last leaf of the first node, and the first one of the second, which is the same node.
    expect(await cidsOf(root, `&entity-bytes=${3 * CHUNK}:${4 * CHUNK}`)).toEqual([
      root,
      nodes[0],
      leaves[3],
      leaves[0],
    ]);
  });
});

describe('a directory', () => {
  let root: string;
  let sub: string;
  let file: string;
  beforeAll(async () => {
    const content = Buffer.from('text');
    const added = await client.addAll([{ path: 'd/sub dir/ä', content }], { cidVersion: 1 });
    [file = '', sub = '', root = ''] = added.map(({ cid }) => cid);
  });

  test.each([
    ['', [2, 1, 0]],
    ['&dag-scope=entity', [2]],
    ['&entity-bytes=1:5', [2]],
    ['&dag-scope=block', [2]],
  ])('%s', async (query, expected) => {
    expect(await cidsOf(root, query)).toEqual(expected.map((index) => [file, sub, root][index]));
  });

  test.each(['all', 'entity', 'block'])('a file in it, behind the blocks of the path: %s', async (scope) => {
    for (const path of ['sub%20dir/%C3%A4', '/sub%20dir//%C3%A4/'])
      expect(await carOf(`${root}/${path}`, `&dag-scope=${scope}`)).toMatchObject({
        roots: [file],
        cids: [root, sub, file],
      });
  });

  test('a directory in it', async () => {
    expect(await cidsOf(`${root}/sub%20dir`, '&dag-scope=block')).toEqual([root, sub]);
    expect(await cidsOf(`${root}/sub%20dir`)).toEqual([root, sub, file]);
  });
});

describe('a sharded directory', () => {
  const names = Array.from({ length: 400 }, (_, index) => `file ${index}`);
  let root: string;
  let blocks: Block[];
  let shards: string[];
  beforeAll(async () => {
    const made = await shardedDirectory(names);
    root = made.root.toString();
    ({ blocks } = made);
    await storeBlocks(service, blocks);
    shards = blocks.filter(({ cid, bytes }) => isShard(cid, bytes)).map(({ cid }) => cid.toString());
  });
  const isShard = (cid: CID, bytes: Uint8Array) => {
    if (cid.code !== dagPb.code) return false;
    return UnixFS.unmarshal(dagPb.decode(bytes).Data ?? new Uint8Array(0)).type === 'hamt-sharded-directory';
  };

  test('all of it', async () => {
    expect((await cidsOf(root)).length).toBe(new Set(blocks.map(({ cid }) => cid.toString())).size);
  });

  test('its shards, without its entries', async () => {
    expect(shards.length).toBeGreaterThan(10);
    const cids = [...(await cidsOf(root, '&dag-scope=entity'))];
    expect(cids[0]).toBe(root);
    expect(cids.sort()).toEqual([...shards].sort());
  });

  test('an entry of it, behind the shards on the way', async () => {
    const { blocks: received, cids } = (await readCarFile(
      (await ask(service, `/ipfs/${root}/file%20123?format=car`)).body,
    )) as { blocks: Block[]; cids: string[] };
    expect(cids[0]).toBe(root);
    for (const each of received.slice(0, -1)) expect(isShard(each.cid, each.bytes)).toBe(true);
    const last = received.at(-1);
    expect(Buffer.from(last?.bytes ?? []).includes('content of file 123')).toBe(true);
    // A client can follow the path with these blocks alone.
    const entry = await exporter(`${root}/file 123`, storeOf(received));
    expect(entry.cid.toString()).toBe(last?.cid.toString());
  });

  test('a name that it does not have', async () => {
    expect((await carOf(`${root}/file%20400`)).status).toBe(404);
  });
});

describe('other nodes', () => {
  test('dag-cbor: links in fields and lists are followed, and paths through them', async () => {
    const leaf = blockOf(0x55, Buffer.from('leaf'));
    const inner = blockOf(dagCbor.code, dagCbor.encode({ leaf: leaf.cid, number: 1 }));
    const outer = blockOf(dagCbor.code, dagCbor.encode({ list: [{ inner: inner.cid }] }));
    await storeBlocks(service, [leaf, inner, outer]);
    const [root, middle, end] = [outer, inner, leaf].map(({ cid }) => cid.toString());
    expect(await cidsOf(root ?? '')).toEqual([root, middle, end]);
    expect(await cidsOf(root ?? '', '&dag-scope=entity')).toEqual([root]);
    expect(await cidsOf(`${root}/list/0/inner/leaf`, '&dag-scope=block')).toEqual([root, middle, end]);
    // A path that ends inside a block.
    expect(await carOf(`${root}/list/0/inner/number`, '&dag-scope=block')).toMatchObject({
      roots: [middle],
      cids: [root, middle],
    });
    expect(await cidsOf(`${root}/list/0/inner/number`)).toEqual([root, middle, end]);
  });

  test('identity CIDs are followed, and not sent', async () => {
    const leaf = blockOf(0x55, Buffer.from('leaf of an inline node'));
    const inline = CID.createV1(dagCbor.code, Digest.create(0, dagCbor.encode([leaf.cid])));
    const root = blockOf(dagCbor.code, dagCbor.encode({ inline }));
    await storeBlocks(service, [leaf, root]);
    expect(await cidsOf(root.cid.toString())).toEqual([root, leaf].map(({ cid }) => cid.toString()));
    expect(await cidsOf(inline.toString())).toEqual([leaf.cid.toString()]);
    expect(await cidsOf(`${root.cid.toString()}/inline/0`)).toEqual([root, leaf].map(({ cid }) => cid.toString()));
  });

  test.each(['symlink', 'metadata'] as const)(
    'UnixFS that is neither a file nor a directory is one block: %s',
    async (type) => {
      const block = node(new UnixFS({ type, data: Buffer.from('x') }));
      await storeBlocks(service, [block]);
      for (const query of ['&dag-scope=entity', '&entity-bytes=0:5'])
        expect(await cidsOf(block.cid.toString(), query)).toEqual([block.cid.toString()]);
    },
  );

  test('a file node that contradicts itself is one block', async () => {
    const leaf = blockOf(0x55, Buffer.from('12345'));
    const block = node(new UnixFS({ type: 'file', blockSizes: [5n, 6n] }), ['', leaf.cid]);
    await storeBlocks(service, [leaf, block]);
    expect(await cidsOf(block.cid.toString(), '&entity-bytes=0:*')).toEqual([block.cid.toString()]);
    expect(await cidsOf(block.cid.toString())).toEqual([block, leaf].map(({ cid }) => cid.toString()));
  });
});

describe('what cannot be sent completely', () => {
  /** The error of a client; the answer must not end as if it were complete. */
  const interrupted = async (path: string, at = service) => {
    const received = fetch(`${at.at.url}/ipfs/${path}`).then((response) => response.arrayBuffer());
    await expect(received).rejects.toThrow(/^(terminated|fetch failed)$/);
  };

  test('a block that is not stored breaks the connection', async () => {
    const { root, leaves } = await storeFile(someBytes(5 * CHUNK));
    expect((await post(service, `block/rm?arg=${leaves[4]}`)).status).toBe(200);
    await interrupted(`${root}?format=car`);
    // What does not need it is complete.
    expect(await cidsOf(root, '&entity-bytes=0:100')).toHaveLength(3);
    expect(service.warnings).toEqual([expect.stringContaining('gateway request failed')]);
    service.warnings.length = 0;
  });

  test('a node whose size is another than its parent states breaks the connection', async () => {
    const leaf = blockOf(0x55, Buffer.from('12345'));
    const half = node(new UnixFS({ type: 'file', blockSizes: [5n, 5n] }), ['', leaf.cid], ['', leaf.cid]);
    const links = [['', half.cid] as const, ['', half.cid] as const];
    const honest = node(new UnixFS({ type: 'file', blockSizes: [10n, 10n] }), ...links);
    const lying = node(new UnixFS({ type: 'file', blockSizes: [10n, 9n] }), ...links);
    await storeBlocks(service, [leaf, half, honest, lying]);
    expect(await cidsOf(honest.cid.toString(), '&dag-scope=entity')).toHaveLength(3);
    await interrupted(`${lying.cid.toString()}?format=car&dag-scope=entity`);
    service.warnings.length = 0;
  });

  test('more blocks than the limit break the connection', async () => {
    const small = await startTestGateway({ carBlocks: 5 });
    const three = await new StorageClient({ url: small.url }).add(someBytes(4 * CHUNK), { chunkSize: CHUNK });
    const four = await new StorageClient({ url: small.url }).add(someBytes(5 * CHUNK), { chunkSize: CHUNK });
    const whole = await ask(small, `/ipfs/${three.cid}?format=car`);
    expect((await readCarFile(whole.body)).cids).toHaveLength(5);
    await interrupted(`${four.cid}?format=car`, small);
    await small.discard();
  });

  test('a DAG deeper than the limit breaks the connection', async () => {
    const flat = await startTestGateway({}, { limits: { dagDepth: 3 } });
    const chain: Block[] = [blockOf(0x55, Buffer.from('end'))];
    for (let level = 0; level < 4; level++) chain.push(blockOf(dagCbor.code, dagCbor.encode([chain.at(-1)?.cid])));
    await storeBlocks(flat, chain);
    const cids = chain.map(({ cid }) => cid.toString());
    expect((await readCarFile((await ask(flat, `/ipfs/${cids[3]}?format=car`)).body)).cids).toHaveLength(4);
    await interrupted(`${cids[4]}?format=car`, flat);
    await flat.discard();
  });
});
