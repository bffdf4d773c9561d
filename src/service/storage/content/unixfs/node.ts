import * as dagPb from '@ipld/dag-pb';
import { type Attributes, decodeTime, encodeAttributes, type FileTime, MODE_BITS } from './attributes';
import { decodeVarint, encodeVarint } from '../varint';
import { clientFault, CommandError, messageOf } from '../../errors';

/** UnixFS node types, as numbered in its protobuf. @see https://specs.ipfs.tech/unixfs/ */
export const UnixFsType = { Raw: 0, Directory: 1, File: 2, Metadata: 3, Symlink: 4, Shard: 5 } as const;

/** The `Data` message of a UnixFS node; sizes in bytes. */
type UnixFs = {
  readonly type: number;
  readonly data: Uint8Array;
  readonly fileSize: number;
  readonly blockSizes: readonly number[];
  readonly hashType: number;
  readonly fanout: number;
} & Attributes;

const EMPTY = new Uint8Array(0);

const field = (tag: number, value: number): number[] => [tag, ...encodeVarint(value)];

/** The message of a node without its own content: a file over other blocks. */
export function encodeFileNode(
  fileSize: number,
  blockSizes: readonly number[],
  attributes: Attributes = {},
): Uint8Array {
  return Uint8Array.from([
    ...field(0x08, UnixFsType.File),
    ...field(0x18, fileSize),
    ...blockSizes.flatMap((size) => field(0x20, size)),
    ...encodeAttributes(attributes),
  ]);
}

/** The message of a directory that is not sharded. */
export const directoryData = (attributes: Attributes = {}): Uint8Array =>
  Uint8Array.from([...field(0x08, UnixFsType.Directory), ...encodeAttributes(attributes)]);

/** The dag-pb block around the content of a leaf: everything before it and everything after. */
export function leafFraming(
  length: number,
  type: number = UnixFsType.File,
  attributes: Attributes = {},
): { before: Uint8Array; after: Uint8Array } {
  const after = [...(type === UnixFsType.Symlink ? [] : field(0x18, length)), ...encodeAttributes(attributes)];
  const inner = [...field(0x08, type), ...(length > 0 ? field(0x12, length) : [])];
  const before = [...field(0x0a, inner.length + length + after.length), ...inner];
  return { before: Uint8Array.from(before), after: Uint8Array.from(after) };
}

/** @throws RangeError if the bytes are not a UnixFS message. */
export function decodeUnixFs(bytes: Uint8Array): UnixFs {
  let type = -1;
  let data: Uint8Array = EMPTY;
  let fileSize = 0;
  let hashType = 0;
  let fanout = 0;
  let mode: number | undefined;
  let mtime: FileTime | undefined;
  const blockSizes: number[] = [];
  let at = 0;
  const varint = (): number => {
    const read = decodeVarint(bytes, at);
    if (read === undefined) throw new RangeError('unexpected EOF');
    at = read.end;
    return read.value;
  };
  const lengthDelimited = (): Uint8Array => {
    const length = varint();
    if (at + length > bytes.length) throw new RangeError('unexpected EOF');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const readPacked = (packed: Uint8Array) => {
    for (let offset = 0; offset < packed.length;) {
      const read = decodeVarint(packed, offset);
      if (read === undefined) throw new RangeError('unexpected EOF');
      blockSizes.push(read.value);
      offset = read.end;
    }
  };
  const fields: Partial<Record<number, () => void>> = {
    0x08: () => (type = varint()),
    0x12: () => (data = lengthDelimited()),
    0x18: () => (fileSize = varint()),
    0x20: () => blockSizes.push(varint()),
    0x22: () => {
      readPacked(lengthDelimited());
    },
    0x28: () => (hashType = varint()),
    0x30: () => (fanout = varint()),
    0x38: () => (mode = varint() & MODE_BITS),
    0x42: () => (mtime = decodeTime(lengthDelimited())),
  };
  const skip: Partial<Record<number, () => void>> = {
    0: varint,
    1: () => (at += 8),
    2: lengthDelimited,
    5: () => (at += 4),
  };
  while (at < bytes.length) {
    const tag = varint();
    const read = fields[tag] ?? skip[tag & 7];
    if (read === undefined) throw new RangeError('the message has an unknown wire type');
    read();
  }
  if (at > bytes.length) throw new RangeError('unexpected EOF');
  if (type < 0) throw new RangeError('proto: required field "Type" not set');
  if (type > 5) throw new RangeError('unrecognized node type');
  return {
    type,
    data,
    fileSize: fileSize || data.length,
    blockSizes,
    hashType,
    fanout,
    // No permissions at all count as none that are known, as in Kubo.
    mode: mode === 0 ? undefined : mode,
    mtime,
  };
}

/** @throws CommandError if the block is not dag-pb. */
export function decodePb(bytes: Uint8Array): dagPb.PBNode {
  try {
    return dagPb.decode(bytes);
  } catch (error) {
    const message = messageOf(error);
    throw new CommandError(message.startsWith('protobuf: ') ? message : `protobuf: (PBNode) ${message}`);
  }
}

/** The UnixFS message of a dag-pb node. @throws CommandError, with Kubo's message, if it has none. */
export function mustBeUnixFs({ Data = EMPTY }: dagPb.PBNode): UnixFs {
  try {
    return decodeUnixFs(Data);
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}

/** The UnixFS message of a dag-pb node; `undefined` if it has none. */
export function unixFsOf(node: dagPb.PBNode): UnixFs | undefined {
  try {
    return mustBeUnixFs(node);
  } catch {
    return undefined;
  }
}

/** The longest target of a symbolic link, in bytes, as in Linux. */
export const MAX_SYMLINK = 4096;

/** The target of a symbolic link. @throws CommandError if it is longer than any file system allows. */
export function symlinkTarget(data: Uint8Array): string {
  if (data.length > MAX_SYMLINK) throw new CommandError(`a symlink target is longer than ${MAX_SYMLINK} bytes`);
  return Buffer.from(data).toString('utf8');
}

/** Encodes a node, with links sorted as dag-pb requires. @throws CommandError if it is not a valid node. */
export function encodePb(node: { Data?: Uint8Array; Links: readonly dagPb.PBLink[] }): Uint8Array {
  try {
    return dagPb.encode(dagPb.prepare(node));
  } catch (error) {
    throw clientFault(`not a dag-pb node: ${error instanceof Error ? error.message : 'invalid'}`);
  }
}
