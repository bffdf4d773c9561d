import * as dagCbor from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { sha256 } from 'multiformats/hashes/sha2';
import { keyText } from '../../../src/service/storage/store/block-store';
import { NotFoundError } from '../../../src/service/storage/content/block-reader';
import { reach } from '../../../src/service/storage/content/reach';

const IDENTITY = 0;

/** A store in memory that records every request. */
function storeOf() {
  const blocks = new Map<string, Uint8Array>();
  const loads: string[] = [];
  return {
    loads,
    put: async (value: unknown): Promise<CID> => {
      const bytes = dagCbor.encode(value);
      const cid = CID.createV1(dagCbor.code, await sha256.digest(bytes));
      blocks.set(keyText(cid.multihash.bytes), bytes);
      return cid;
    },
    has: (key: Uint8Array) => Promise.resolve(blocks.has(keyText(key))),
    load: (cid: CID) => {
      loads.push(cid.toString());
      const bytes = cid.multihash.code === IDENTITY ? cid.multihash.digest : blocks.get(keyText(cid.multihash.bytes));
      return bytes === undefined ? Promise.reject(new NotFoundError(cid)) : Promise.resolve(bytes);
    },
  };
}

const inside = (value: unknown): CID =>
  CID.createV1(dagCbor.code, Digest.create(IDENTITY, dagCbor.encode(value)) as never);
const absent = async (index: number): Promise<CID> =>
  CID.createV1(dagCbor.code, await sha256.digest(new TextEncoder().encode(`absent ${index}`)));

describe('blocks reached from a root', () => {
  async function reached(store: ReturnType<typeof storeOf>, root: CID): Promise<Set<string>> {
    const found = new Set<string>();
    for await (const { cid } of reach(root, store, store.load, new Set())) {
      expect(found.has(cid.toString())).toBe(false);
      found.add(cid.toString());
    }
    return found;
  }

  test('are all stored blocks below it, once, including those reached through identity blocks', async () => {
    const store = storeOf();
    const leaf = await store.put('leaf');
    const other = await store.put('other');
    const middle = await store.put({ a: leaf, b: [leaf, other] });
    const root = await store.put([middle, inside({ deeper: inside([other]) }), leaf]);
    await store.put('unrelated');
    expect(await reached(store, root)).toEqual(new Set([root, middle, leaf, other].map((cid) => cid.toString())));
  });

  test('do not include links to blocks that are not stored: none is queued or requested', async () => {
    const store = storeOf();
    const missing = await Promise.all(Array.from({ length: 2_000 }, (_, index) => absent(index)));
    let root = await store.put('end');
    const chain = [root];
    for (let level = 0; level < 20; level++) chain.push((root = await store.put([...missing, root])));
    expect(await reached(store, root)).toEqual(new Set(chain.map((cid) => cid.toString())));
    expect(store.loads).toHaveLength(chain.length);
  });

  test('report lost blocks: missing and unreadable ones, also inside identity blocks', async () => {
    const store = storeOf();
    const missing = await absent(0);
    const leaf = await store.put('leaf');
    const unreadable = CID.createV1(0x70, leaf.multihash);
    const insideUnreadable = CID.createV1(0x70, Digest.create(IDENTITY, Uint8Array.of(0xff)) as never);
    const root = await store.put([missing, inside([missing]), leaf, unreadable, insideUnreadable]);
    const lost: string[] = [];
    const seen = new Set<string>();
    const onLost = (cid: CID) => lost.push(cid.toString());
    for await (const reached of reach(root, store, store.load, seen, onLost)) void reached;
    for await (const reached of reach(missing, store, store.load, seen, onLost)) void reached;
    const expected = [missing, missing, missing, unreadable, insideUnreadable].map((cid) => cid.toString());
    expect(lost.sort()).toEqual(expected.sort());
  });

  test('exclude blocks below an unreadable one', async () => {
    const store = storeOf();
    const leaf = await store.put('leaf');
    const root = await store.put([leaf]);
    const torn = {
      ...store,
      load: (cid: CID) => (cid.equals(root) ? Promise.reject(new NotFoundError(cid)) : store.load(cid)),
    };
    expect(await reached(torn, root)).toEqual(new Set([root.toString()]));
  });
});
