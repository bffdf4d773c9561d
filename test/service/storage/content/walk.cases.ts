import * as dagCbor from '@ipld/dag-cbor';
import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { sha256 } from 'multiformats/hashes/sha2';
import { linkLoader, type LoadBlock, NotFoundError } from '../../../../src/service/storage/content/block-reader';
import { Admission } from '../../../../src/service/admission/admission';
import { uncharged } from '../../../../src/service/admission/uncharged';
import { Share } from '../../../../src/service/admission/share';
import { LINK_BYTES } from '../../../../src/service/storage/content/weights';
import { Visited } from '../../../../src/service/storage/content/visited';
import { allLinks, knownLinks, UNLIMITED, walk, type WalkLimits } from '../../../../src/service/storage/content/walk';
import { GivenUpError } from '../../../../src/service/storage/errors';
import { keyText } from '../../../../src/service/storage/store/block-store';
import { collectGarbage } from '../../../support/collect-garbage';

const IDENTITY = 0;
const RAW = 0x55;

/** A store in memory that records what is asked of it. */
class Blocks {
  readonly loads: string[] = [];
  readonly #stored = new Map<string, Uint8Array>();
  /** How many loads were under way at once. */
  most = 0;
  #loading = 0;

  async put(value: unknown): Promise<CID> {
    const bytes = dagCbor.encode(value);
    const cid = CID.createV1(dagCbor.code, await sha256.digest(bytes));
    this.#stored.set(keyText(cid.multihash.bytes), bytes);
    return cid;
  }

  async leaf(text: string): Promise<CID> {
    const bytes = Buffer.from(text);
    const cid = CID.createV1(RAW, await sha256.digest(bytes));
    this.#stored.set(keyText(cid.multihash.bytes), bytes);
    return cid;
  }

  readonly has = (key: Uint8Array) => Promise.resolve(this.#stored.has(keyText(key)));

  readonly load: LoadBlock = async (cid) => {
    this.loads.push(cid.toString());
    this.most = Math.max(this.most, ++this.#loading);
    await Promise.resolve();
    this.#loading--;
    const { multihash } = cid;
    const bytes = multihash.code === IDENTITY ? multihash.digest : this.#stored.get(keyText(multihash.bytes));
    if (bytes === undefined) throw new NotFoundError(cid);
    return bytes;
  };
}

const inside = (value: unknown): CID =>
  CID.createV1(dagCbor.code, Digest.create(IDENTITY, dagCbor.encode(value)) as never);
const absent = async (index: number): Promise<CID> =>
  CID.createV1(dagCbor.code, await sha256.digest(new TextEncoder().encode(`absent ${index}`)));
const texts = (cids: readonly CID[]) => cids.map((cid) => cid.toString());

/** The blocks in the order of the walk, and those that were lost. */
async function walked(blocks: Blocks, root: CID, limits: Partial<WalkLimits> = {}, memory = new Share()) {
  const [found, lost]: [string[], string[]] = [[], []];
  const walker = { load: blocks.load, limits: { ...UNLIMITED, ...limits }, charge: { ...uncharged(), memory } };
  const onLost = (cid: CID) => lost.push(cid.toString());
  const visits = walk({ cid: root }, allLinks, walker, { visited: new Visited(memory), onLost });
  for await (const { step } of visits) found.push(step.cid.toString());
  return { found, lost };
}

describe('a walk', () => {
  test('visits every block below a root once, in the order of the links, also through identity blocks', async () => {
    const blocks = new Blocks();
    const [leaf, other] = [await blocks.put('leaf'), await blocks.put('other')];
    const middle = await blocks.put({ a: leaf, b: [leaf, other] });
    const deeper = inside([other]);
    const within = inside({ deeper });
    const root = await blocks.put([middle, within, leaf]);
    await blocks.put('unrelated');
    expect(await walked(blocks, root)).toEqual({
      found: texts([root, middle, leaf, other, within, deeper]),
      lost: [],
    });
  });

  test('visits a block as often as it is linked to if nothing is remembered', async () => {
    const blocks = new Blocks();
    const leaf = await blocks.leaf('leaf');
    const root = await blocks.put([leaf, leaf, [leaf]]);
    const walker = { load: blocks.load, limits: UNLIMITED, charge: uncharged() };
    const found: CID[] = [];
    for await (const { step } of walk({ cid: root }, allLinks, walker)) found.push(step.cid);
    expect(texts(found)).toEqual(texts([root, leaf, leaf, leaf]));
  });

  test('goes on without lost blocks: missing and unreadable ones, also inside identity blocks', async () => {
    const blocks = new Blocks();
    const missing = await absent(0);
    const leaf = await blocks.put('leaf');
    const unreadable = CID.createV1(0x70, leaf.multihash);
    const unreadableInside = CID.createV1(0x70, Digest.create(IDENTITY, Uint8Array.of(0xff)) as never);
    const root = await blocks.put([missing, leaf, unreadable, unreadableInside]);
    expect(await walked(blocks, root)).toEqual({
      found: texts([root, leaf]),
      lost: texts([missing, unreadable, unreadableInside]),
    });
  });

  test('only looks for blocks without links if it is told so', async () => {
    const blocks = new Blocks();
    const leaf = await blocks.leaf('leaf');
    const missing = CID.createV1(RAW, (await absent(0)).multihash);
    const root = await blocks.put([leaf, missing]);
    const lost: CID[] = [];
    const walker = { load: linkLoader(blocks, blocks.load), limits: UNLIMITED, charge: uncharged() };
    const visited = new Visited();
    const visits = walk({ cid: root }, knownLinks, walker, { visited, onLost: (cid) => lost.push(cid) });
    for await (const visit of visits) void visit;
    expect([texts(lost), blocks.loads]).toEqual([texts([missing]), texts([root])]);
    expect(visited.holds(leaf.multihash.bytes)).toBe(true);
  });

  test('reads a few leaves ahead, and nothing more once nobody wants them', async () => {
    const blocks = new Blocks();
    const leaves = await Promise.all(Array.from({ length: 100 }, (_, i) => blocks.leaf(`leaf ${i}`)));
    const root = await blocks.put(leaves);
    await walked(blocks, root);
    expect(blocks.most).toBeGreaterThan(1);
    expect(blocks.most).toBeLessThanOrEqual(4);
    blocks.loads.length = 0;
    const charge = { ...uncharged(), memory: new Share(1 << 20) };
    const visits = walk({ cid: root }, allLinks, { load: blocks.load, limits: UNLIMITED, charge });
    for await (const { step } of visits) if (step.cid.equals(leaves[1])) break;
    expect(blocks.loads.length).toBeLessThan(10);
    expect(charge.memory.held).toBe(0);
  });

  test('ends when the request is given up', async () => {
    const blocks = new Blocks();
    let root = await blocks.put('end');
    for (let level = 0; level < 20; level++) root = await blocks.put([root]);
    const load: LoadBlock = (cid) =>
      blocks.loads.length < 5 ? blocks.load(cid) : Promise.reject(new GivenUpError('the client disconnected'));
    const lost: CID[] = [];
    const visits = walk(
      { cid: root },
      allLinks,
      { load, limits: UNLIMITED, charge: uncharged() },
      { onLost: (cid) => lost.push(cid) },
    );
    const run = async () => {
      for await (const visit of visits) void visit;
    };
    await expect(run()).rejects.toThrow('the client disconnected');
    expect([blocks.loads.length, lost]).toEqual([5, []]);
  });
});

describe('the limits of a walk', () => {
  /** Ten levels, each with a leaf and the level below. */
  async function chain(blocks: Blocks): Promise<CID> {
    let root = await blocks.put('end');
    for (let level = 0; level < 10; level++) root = await blocks.put([await blocks.leaf(`leaf ${level}`), root]);
    return root;
  }

  test.each<[keyof WalkLimits, number, string]>([
    ['depth', 9, 'the DAG is deeper than the allowed 9 levels'],
    ['blocks', 20, 'the DAG has more than the allowed 20 blocks'],
    ['bytes', 100, 'the DAG has more than the allowed 100 bytes'],
    ['pending', 1, 'the DAG has more than the allowed 1 links side by side'],
  ])('%s', async (name, limit, message) => {
    const blocks = new Blocks();
    const root = await chain(blocks);
    await expect(walked(blocks, root, { [name]: limit })).rejects.toThrow(message);
    const enough = { depth: 10, blocks: 21, bytes: 10_000, pending: 2 }[name];
    expect((await walked(blocks, root, { [name]: enough })).found).toHaveLength(21);
  });

  test('links to absent blocks count as memory, however many levels have them, and are given back', async () => {
    const blocks = new Blocks();
    const missing = await Promise.all(Array.from({ length: 1000 }, (_, index) => absent(index)));
    let root = await blocks.put('end');
    for (let level = 0; level < 20; level++) root = await blocks.put([root, ...missing]);
    const memory = new Share(10 * 1000 * LINK_BYTES, (limit) => new Error(`more than ${limit} bytes`));
    await expect(walked(blocks, root, {}, memory)).rejects.toThrow('more than 18000000 bytes');
    memory.release();
    expect(memory.held).toBe(0);
  });

  test('the last links of a level are followed without keeping the level', async () => {
    const blocks = new Blocks();
    const missing = await Promise.all(Array.from({ length: 1000 }, (_, index) => absent(index)));
    let root = await blocks.put('end');
    for (let level = 0; level < 20; level++) root = await blocks.put([...missing, root]);
    expect((await walked(blocks, root, {}, new Share(2 * 1000 * LINK_BYTES))).found).toHaveLength(21);
  });

  test('once the last link of a level is followed, neither the block of the others nor they are kept', async () => {
    const blocks = new Blocks();
    const leaves = await Promise.all(['a', 'b', 'c'].map((text) => blocks.leaf(text)));
    // Its links refer to the bytes of their block.
    const block = dagPb.encode(dagPb.prepare({ Links: leaves.map((Hash) => ({ Hash, Name: '', Tsize: 1 })) }));
    const root = CID.createV1(dagPb.code, await sha256.digest(block));
    let kept: WeakRef<ArrayBufferLike> | undefined;
    const load: LoadBlock = (cid) => {
      if (!cid.equals(root)) return blocks.load(cid);
      const bytes = block.slice();
      kept = new WeakRef(bytes.buffer);
      return Promise.resolve(bytes);
    };
    const visits = walk({ cid: root }, allLinks, { load, limits: UNLIMITED, charge: uncharged() });
    const keeps: boolean[] = [];
    while ((await visits.next()).done !== true) {
      await collectGarbage();
      keeps.push(kept?.deref() !== undefined);
    }
    // The root itself, then its three links.
    expect(keeps).toEqual([true, true, true, false]);
  });

  test('the requests of a client share its memory, those of others have their own', () => {
    const admission = new Admission({ requests: 2, memory: 1000 }, (exceeded) => new Error(exceeded));
    const [one, two, other] = ['a', 'a', 'b'].map((id) => admission.client(id).enter());
    one?.memory.charge(600);
    expect(() => {
      two?.memory.within().charge(401);
    }).toThrow('memory');
    two?.memory.charge(400);
    other?.memory.charge(1000);
    expect([one?.memory.isAmple, two?.memory.isAmple]).toEqual([false, false]);
    one?.done();
    expect(two?.memory.isAmple).toBe(true);
    two?.memory.charge(600);
  });
});
