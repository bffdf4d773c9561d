import * as dagPb from '@ipld/dag-pb';
import * as raw from 'multiformats/codecs/raw';
import { CID } from 'multiformats/cid';
import { clientFault, CommandError, messageOf } from '../errors';
import { cborCodec, dagCborCodec } from './cbor-codec';
import { codecNumber } from './codec-names';
import { entriesOf, entryOf, isScalar } from './data-model';
import { dagJsonCodec, jsonCodec } from './json-codec';

type Codec = {
  readonly code: number;
  readonly encode: (value: unknown) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => unknown;
  /** Reads the links of a block that may not be written again as it is. */
  readonly decodeForLinks?: (bytes: Uint8Array) => unknown;
};

/** A map as a plain object, for a library that does not support maps; anything else unchanged. */
const asObject = (value: unknown): unknown => (value instanceof Map ? Object.fromEntries(entriesOf(value)) : value);

/** A dag-pb node; its links are sorted, as in Kubo. */
function pbNodeOf(value: unknown): dagPb.PBNode {
  const node = { ...(asObject(value) as dagPb.PBNode) };
  if (!Array.isArray(node.Links)) return node;
  const nameOf = (link: unknown) => Buffer.from(String((!isScalar(link) && entryOf(link, 'Name')) || ''));
  const links = [...node.Links].sort((one, other) => Buffer.compare(nameOf(one), nameOf(other)));
  return { ...node, Links: links.map((link) => asObject(link) as dagPb.PBLink) };
}

/** An upload. @throws Error for a name that is not UTF-8: written again, it would be other bytes. */
function pbNodeIn(bytes: Uint8Array): dagPb.PBNode {
  const node = dagPb.decode(bytes);
  // The decoder puts this character in place of what is none, and rarely does a name have it.
  const isSuspect = node.Links.some(({ Name = '' }) => Name.includes('\ufffd'));
  if (isSuspect && Buffer.compare(dagPb.encode(node), bytes) !== 0) throw new TypeError('a name is not UTF-8');
  return node;
}

const CODECS: readonly Codec[] = [
  { code: raw.code, encode: (value) => raw.encode(value as Uint8Array), decode: raw.decode },
  { code: dagPb.code, encode: (value) => dagPb.encode(pbNodeOf(value)), decode: dagPb.decode },
  dagCborCodec,
  dagJsonCodec,
  cborCodec,
  jsonCodec,
  // A JOSE object is stored as dag-cbor; its content is left to the reader.
  { ...dagCborCodec, code: 0x85 },
];
const BY_CODE = new Map(CODECS.map((codec) => [codec.code, codec]));

/** The codec with this name or code. @throws CommandError, with Kubo's message, for an unknown or unsupported one. */
function codecNamed(name: string, role: 'encoder' | 'decoder'): Codec {
  const code = codecNumber(name);
  if (code === undefined) throw new CommandError(`unknown multicodec: ${JSON.stringify(name)}`);
  return codecOf(code, role);
}

function codecOf(code: number, role: 'encoder' | 'decoder'): Codec {
  const codec = BY_CODE.get(code);
  if (codec !== undefined) return codec;
  throw new CommandError(`no ${role} registered for multicodec code ${code} (0x${code.toString(16)})`);
}

/** The value of a block. @throws CommandError if the codec is unsupported or the bytes are invalid. */
export function decodeBlock(cid: CID, bytes: Uint8Array, isForLinks = false): unknown {
  const { decode, decodeForLinks = decode } = codecOf(cid.code, 'decoder');
  try {
    return isForLinks ? decodeForLinks(bytes) : decode(bytes);
  } catch (error) {
    throw new CommandError(`could not decode ${cid.toString()}: ${messageOf(error)}`);
  }
}

/** @throws CommandError (client's fault) if `bytes` are not valid `codecName`. */
export function decodeInput(codecName: string, bytes: Uint8Array): unknown {
  const codec = codecNamed(codecName, 'decoder');
  try {
    return codec.code === dagPb.code ? pbNodeIn(bytes) : codec.decode(bytes);
  } catch (error) {
    throw clientFault(`the input is not ${codecName}: ${messageOf(error)}`);
  }
}

/** @throws CommandError if the value cannot be encoded with that codec. */
export function encodeValue(codecName: string, value: unknown): { code: number; bytes: Uint8Array } {
  const codec = codecNamed(codecName, 'encoder');
  try {
    return { code: codec.code, bytes: codec.encode(value) };
  } catch (error) {
    throw clientFault(`the node cannot be written as ${codecName}: ${messageOf(error)}`);
  }
}

/** A link of a node; only dag-pb has names. */
export type Link = { readonly name: string; readonly cid: CID };

const WITHOUT_LINKS = new Set([raw.code, cborCodec.code, jsonCodec.code]);

/** Whether blocks of the CID's codec can have links that this service understands. */
export const hasLinks = ({ code }: CID): boolean => BY_CODE.has(code) && !WITHOUT_LINKS.has(code);

/** The links of a block, in order; none for codecs without links. @throws CommandError like {@link decodeBlock}. */
export function linksOf(cid: CID, bytes: Uint8Array): Link[] {
  if (cid.code === raw.code) return [];
  const value = decodeBlock(cid, bytes, true);
  if (cid.code === dagPb.code) {
    const { Links } = value as dagPb.PBNode;
    return Links.map(({ Hash, Name = '' }) => ({ name: Name, cid: Hash }));
  }
  return hasLinks(cid) ? linksInValue(value) : [];
}

/** Depth first and iterative, because the client controls the nesting depth. */
function linksInValue(root: unknown): Link[] {
  const links: Link[] = [];
  const stack = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    const cid = CID.asCID(value);
    if (cid !== null) links.push({ name: '', cid });
    else {
      for (const [, child] of entriesOf(value).reverse()) {
        if (typeof child === 'object' && child !== null) stack.push(child);
      }
    }
  }
  return links;
}
