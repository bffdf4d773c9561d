import * as fc from 'fast-check';
import { CID } from 'multiformats/cid';
import { uncharged } from '../../../../src/service/admission/uncharged';
import { UNLIMITED } from '../../../../src/service/storage/content/walk';
import { NotFoundError } from '../../../../src/service/storage/content/block-reader';
import { SHA2_256 } from '../../../../src/service/storage/store/hashes';
import { digestOf } from '../../../support/storage/digest';
import { type Range, readFile } from '../../../../src/service/storage/content/unixfs/file-reader';
import { encodeFileNode, encodePb, leafFraming } from '../../../../src/service/storage/content/unixfs/node';
import { fuzzing } from '../../../support/fuzz';
import { someBytes } from '../../../support/storage/content';

const [DAG_PB, RAW] = [0x70, 0x55];

/** The tree of a file: a leaf with this many bytes in a raw or dag-pb block, or a node over other trees. */
type Tree = { readonly raw: number } | { readonly pb: number } | readonly Tree[];
type Built = { readonly cid: CID; readonly content: Buffer; readonly own: Uint8Array };

/** The blocks of one file, by CID, and which of them were loaded. */
class Blocks {
  readonly stored = new Map<string, Uint8Array>();
  readonly loaded: string[] = [];

  build(tree: Tree): Built {
    if ('raw' in tree) {
      const content = someBytes(tree.raw);
      return { cid: this.#put(RAW, content), content, own: content };
    }
    if ('pb' in tree) {
      const content = someBytes(tree.pb);
      const { before, after } = leafFraming(content.length);
      return { cid: this.#put(DAG_PB, Buffer.concat([before, content, after])), content, own: content };
    }
    const children = tree.map((child) => this.build(child));
    const content = Buffer.concat(children.map((child) => child.content));
    const sizes = children.map((child) => child.content.length);
    const bytes = encodePb({
      Data: encodeFileNode(content.length, sizes),
      Links: children.map(({ cid, content: { length } }) => ({ Hash: cid, Name: '', Tsize: length })),
    });
    return { cid: this.#put(DAG_PB, bytes), content, own: bytes };
  }

  readonly load = (cid: CID): Promise<Uint8Array> => {
    this.loaded.push(cid.toString());
    const bytes = this.stored.get(cid.toString());
    return bytes === undefined ? Promise.reject(new NotFoundError(cid)) : Promise.resolve(bytes);
  };

  #put(codec: number, bytes: Uint8Array): CID {
    const cid = CID.createV1(codec, digestOf(SHA2_256, bytes));
    this.stored.set(cid.toString(), bytes);
    return cid;
  }
}

const WHOLE: Range = { offset: 0, length: Number.MAX_SAFE_INTEGER };

/** All bytes delivered, and the error at the end, if any. */
async function read(blocks: Blocks, cid: CID, range = WHOLE): Promise<{ bytes: Buffer; error?: string }> {
  const pieces: Uint8Array[] = [];
  try {
    const walker = { load: blocks.load, limits: UNLIMITED, charge: uncharged() };
    const file = { cid, bytes: blocks.stored.get(cid.toString()) };
    for await (const piece of readFile(file, range, walker)) pieces.push(piece);
    return { bytes: Buffer.concat(pieces) };
  } catch (error) {
    return { bytes: Buffer.concat(pieces), error: (error as Error).message };
  }
}

const leaf = fc.oneof(
  fc.record({ raw: fc.integer({ min: 0, max: 400 }) }),
  fc.record({ pb: fc.integer({ min: 1, max: 400 }) }),
  fc.constant({ raw: 20_000 }),
);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree'), { maxLength: 12 })),
}));

test('any range of any tree matches its leaves', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.nat(1 << 20), fc.nat(1 << 20), async (shape, offset, length) => {
      const blocks = new Blocks();
      const { cid, content } = blocks.build(shape);
      expect((await read(blocks, cid)).bytes.equals(content)).toBe(true);
      for (const start of [offset, offset % (content.length + 1)]) {
        const { bytes, error } = await read(blocks, cid, { offset: start, length });
        expect([error, bytes.equals(content.subarray(start, start + length))]).toEqual([undefined, true]);
      }
    }),
    fuzzing(150),
  );
});

/** Two nodes with 40 leaves of 256 KiB each. */
const row = (count: number): Tree[] => Array.from({ length: count }, () => ({ raw: 256 << 10 }));
const TALL: Tree = [row(40), row(40)];

test('for a range, only the blocks it touches are loaded', async () => {
  const blocks = new Blocks();
  const { cid, content } = blocks.build(TALL);
  const { bytes } = await read(blocks, cid, { offset: ((41 * 256) << 10) + 5, length: 10 });
  expect(bytes.equals(content.subarray(((41 * 256) << 10) + 5).subarray(0, 10))).toBe(true);
  expect(blocks.loaded).toHaveLength(2);
});

test.each([
  ['the first leaf', 1, 0],
  ['a leaf that is read ahead', 7, 6],
  ['the last leaf', 80, 79],
])('%s is missing: everything before it is delivered, then the error', async (_name, index, before) => {
  const blocks = new Blocks();
  const { cid, content } = blocks.build(TALL);
  const leaves = [...blocks.stored].filter(([, bytes]) => bytes.length === 256 << 10);
  const [missing = ''] = leaves[index - 1] ?? [];
  blocks.stored.delete(missing);
  const { bytes, error } = await read(blocks, cid);
  expect(error).toMatch(`could not find ${missing}`);
  expect(bytes.equals(content.subarray(0, before * (256 << 10)))).toBe(true);
});

test('an inner node is missing: everything before it is delivered, then the error', async () => {
  const blocks = new Blocks();
  const { cid, content } = blocks.build([row(10), row(9), row(10)]);
  const [, inner = ''] = [...blocks.stored].flatMap(([name, bytes]) => (bytes.length < 4096 ? [name] : []));
  blocks.stored.delete(inner);
  const { bytes, error } = await read(blocks, cid);
  expect(error).toMatch(`could not find ${inner}`);
  expect(bytes.equals(content.subarray(0, 10 * (256 << 10)))).toBe(true);
});

test('a block whose size differs from what its parent states ends the content there', async () => {
  const blocks = new Blocks();
  const [first, second] = [blocks.build({ raw: 1000 }), blocks.build({ raw: 999 })];
  const bytes = encodePb({
    Data: encodeFileNode(2000, [1000, 1000]),
    Links: [first, second].map(({ cid }) => ({ Hash: cid, Name: '', Tsize: 1000 })),
  });
  const root = CID.createV1(DAG_PB, digestOf(SHA2_256, bytes));
  blocks.stored.set(root.toString(), bytes);
  const result = await read(blocks, root);
  expect(result.error).toBe(`block ${second.cid.toString()} has 999 bytes but its parent states 1000`);
  expect(result.bytes.equals(first.content)).toBe(true);
});
