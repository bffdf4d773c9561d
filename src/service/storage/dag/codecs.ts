import * as dagCbor from '@ipld/dag-cbor';
import * as dagJson from '@ipld/dag-json';
import * as dagPb from '@ipld/dag-pb';
import * as json from 'multiformats/codecs/json';
import * as raw from 'multiformats/codecs/raw';
import { CID } from 'multiformats/cid';
import { clientFault, CommandError, messageOf } from '../errors';

type Codec = {
  readonly code: number;
  readonly encode: (value: unknown) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => unknown;
};

const CODECS = new Map<string, Codec>([
  ['raw', { ...raw, encode: (value) => raw.encode(value as Uint8Array) }],
  ['dag-pb', { ...dagPb, encode: (value) => dagPb.encode(value as dagPb.PBNode) }],
  ['dag-cbor', dagCbor],
  ['dag-json', dagJson],
  ['json', json],
  // A JOSE object is stored as dag-cbor; what is inside it is the reader's business.
  ['dag-jose', { ...dagCbor, code: 0x85 }],
]);
const BY_CODE = new Map([...CODECS.values()].map((codec) => [codec.code, codec]));

/** Names of codecs a block may be stored under without being understood here. */
const OPAQUE = new Map([
  ['protobuf', dagPb.code],
  ['cbor', 0x51],
  ['git-raw', 0x78],
  ['libp2p-key', 0x72],
]);

/** The multicodec code behind a name or a number (`0x71`), `undefined` when there is none. */
export function codecCode(name: string): number | undefined {
  const number = /^(0x[0-9a-f]+|\d+)$/i.test(name) ? Number(name) : undefined;
  return CODECS.get(name)?.code ?? OPAQUE.get(name) ?? number;
}

function codecNamed(name: string): Codec {
  const codec = CODECS.get(name);
  if (codec !== undefined) return codec;
  if (codecCode(name) === undefined) throw new CommandError(`unknown multicodec: "${name}"`);
  throw new CommandError(`no encoder registered for multicodec "${name}"`);
}

function codecOf(cid: CID): Codec {
  const codec = BY_CODE.get(cid.code);
  if (codec !== undefined) return codec;
  throw new CommandError(`no decoder registered for multicodec code ${cid.code} (0x${cid.code.toString(16)})`);
}

/** The value of a block. @throws CommandError when the codec is unknown or the bytes do not follow it. */
export function decodeBlock(cid: CID, bytes: Uint8Array): unknown {
  const codec = codecOf(cid);
  try {
    return codec.decode(bytes);
  } catch (error) {
    throw new CommandError(`could not decode ${cid.toString()}: ${depthMessage(error)}`);
  }
}

/** @throws CommandError of the client's fault when `bytes` are not `codecName`. */
export function decodeInput(codecName: string, bytes: Uint8Array): unknown {
  const codec = codecNamed(codecName);
  try {
    return codec.decode(bytes);
  } catch (error) {
    throw clientFault(`the input is not ${codecName}: ${depthMessage(error)}`);
  }
}

/** @throws CommandError when the value cannot be written in that codec. */
export function encodeValue(codecName: string, value: unknown): { code: number; bytes: Uint8Array } {
  const codec = codecNamed(codecName);
  try {
    return { code: codec.code, bytes: codec.encode(value) };
  } catch (error) {
    throw clientFault(`the node cannot be written as ${codecName}: ${depthMessage(error)}`);
  }
}

const depthMessage = (error: unknown): string =>
  error instanceof RangeError && /call stack/i.test(error.message) ? 'it is nested too deeply' : messageOf(error);

/** A link of a node and the path to it inside the node, as Kubo names it (`Links/2/Hash`). */
export type Link = { readonly path: string; readonly name: string; readonly cid: CID };

const WITHOUT_LINKS = new Set([raw.code, json.code]);

/** Whether blocks of the CID's codec may have links that are understood here. */
export const hasLinks = ({ code }: CID): boolean => BY_CODE.has(code) && !WITHOUT_LINKS.has(code);

/** The links of a block, in order. Blocks of codecs without links have none. @throws CommandError as {@link decodeBlock}. */
export function linksOf(cid: CID, bytes: Uint8Array): Link[] {
  if (cid.code === raw.code) return [];
  const value = decodeBlock(cid, bytes);
  if (cid.code === dagPb.code) {
    const { Links } = value as dagPb.PBNode;
    return Links.map(({ Hash, Name }, index) => ({ path: `Links/${index}/Hash`, name: Name ?? '', cid: Hash }));
  }
  return hasLinks(cid) ? linksInValue(value) : [];
}

/** Depth first, without recursion: the nesting is the client's choice. */
function linksInValue(root: unknown): Link[] {
  const links: Link[] = [];
  const stack: { value: unknown; path: string }[] = [{ value: root, path: '' }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value, path } = top;
    const cid = CID.asCID(value);
    if (cid !== null) links.push({ path, name: path, cid });
    else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
      for (const [key, child] of Object.entries(value).reverse()) {
        if (typeof child === 'object' && child !== null) {
          stack.push({ value: child, path: path === '' ? key : `${path}/${key}` });
        }
      }
    }
  }
  return links;
}
