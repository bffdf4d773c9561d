import { type Bytes, concat, fromUtf8, Reader, sumOf, varint } from './bytes';
import { type Cid, cidBytes, readCid } from './cid';
import { malformed } from './errors';

export type NodeLink = { readonly name: string; readonly cid: Cid; readonly size: number };

/** A dag-pb node, with the fields of its UnixFS message if it has one. */
export type Node = {
  readonly data: Uint8Array;
  readonly links: readonly NodeLink[];
  /** UnixFS type: 1 directory, 2 file, 5 sharded directory; undefined if the data is not UnixFS. */
  readonly type: number | undefined;
  /** The content of a leaf. */
  readonly content: Uint8Array;
  readonly fileSize: number;
  readonly blockSizes: readonly number[];
  readonly fanout: number;
};

const EMPTY = concat([]);
const numberField = (tag: number, value: number): Uint8Array => Uint8Array.of(tag, ...varint(value));
const bytesField = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array[] => [
  numberField(
    tag,
    sumOf(parts, ({ length }) => length),
  ),
  ...parts,
];

/** Protobuf fields as [field number, varint value, bytes]. */
function* fields(bytes: Uint8Array): Generator<[number, number, Uint8Array]> {
  const reader = new Reader(bytes);
  while (!reader.done) {
    const tag = reader.varint();
    if ((tag & 7) === 0) yield [tag >> 3, reader.varint(), EMPTY];
    else if ((tag & 7) === 2) yield [tag >> 3, 0, reader.take(reader.varint())];
    else throw malformed();
  }
}

function readLink(bytes: Uint8Array): NodeLink {
  let cid: Cid | undefined;
  let name = '';
  let size = 0;
  for (const [field, value, part] of fields(bytes)) {
    if (field === 1) cid = readCid(new Reader(part));
    if (field === 2) name = fromUtf8(part);
    if (field === 3) size = value;
  }
  if (cid === undefined) throw malformed();
  return { name, cid, size };
}

export function decodeNode(bytes: Uint8Array): Node {
  const links: NodeLink[] = [];
  let data = EMPTY as Uint8Array;
  for (const [field, , part] of fields(bytes)) {
    if (field === 1) data = part;
    if (field === 2) links.push(readLink(part));
  }
  let type: number | undefined;
  let content = EMPTY as Uint8Array;
  let fileSize = 0;
  let fanout = 0;
  const blockSizes: number[] = [];
  try {
    for (const [field, value, part] of fields(data)) {
      if (field === 1) type = value;
      if (field === 2) content = part;
      if (field === 3) fileSize = value;
      if (field === 4) blockSizes.push(value);
      if (field === 6) fanout = value;
    }
  } catch {
    // The data of a node need not be a UnixFS message.
    type = undefined;
  }
  return { data, links, type, content, fileSize, blockSizes, fanout };
}

/** The block of a file leaf. */
export const encodeLeaf = (content: Uint8Array): Bytes =>
  concat(
    bytesField(
      0x0a,
      numberField(0x08, 2),
      ...(content.length > 0 ? bytesField(0x12, content) : []),
      numberField(0x18, content.length),
    ),
  );

/** A file, or a part of a file, in the tree. */
export type Built = { readonly cid: Cid; readonly size: number; readonly fileSize: number };

/** The block of a file node with these children and `fileSize` bytes of content. */
export const encodeFile = (children: readonly Built[], fileSize: number): Bytes =>
  concat([
    ...children.flatMap(({ cid, size }) =>
      bytesField(0x12, ...bytesField(0x0a, cidBytes(cid)), ...bytesField(0x12), numberField(0x18, size)),
    ),
    ...bytesField(
      0x0a,
      numberField(0x08, 2),
      numberField(0x18, fileSize),
      ...children.map((child) => numberField(0x20, child.fileSize)),
    ),
  ]);
