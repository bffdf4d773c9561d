import { type Effect } from '../effects/effect';
import { type Line, type Viewpoint } from '../explanation';
import { readSignIn } from './sign-in';
import { isDeceptive } from './text';

const HASH_BYTES = 32;
/** 0x1901, and the hashes of the domain and of the message (EIP-712). */
const TYPED_DATA_BYTES = 2 + 2 * HASH_BYTES;
/** EIP-2718: access lists, dynamic fees, blobs, delegations; and the magic byte of an authorization (EIP-7702). */
const LAST_TRANSACTION_TYPE = 5;
/** In bytes. The shortest of these forms is an authorization: a chain ID, an address and a nonce. */
const SHORTEST_TRANSACTION = 9;

/** Characters of names, codes and sentences. One hash in 2^61 consists of them alone. */
const PLAIN = /^[A-Za-z0-9 .,:_/-]*$/u;
/** Enough blanks or empty lines to push the following text off a screen. */
const GAP = /\s{40}|(?:\n *){10}/u;
/** A hash in hex: some contracts accept a signature of its digits as one of the hash itself. */
const WRITTEN_HASH = /^(?:0x)?[0-9a-f]{64}$/iu;

/** The message as text; undefined if it is not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** @returns Whether the bytes from `start` on have the length of exactly one RLP list (Yellow Paper, appendix B). */
function isRlpList(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] ?? 0;
  const left = bytes.length - start - 1;
  if (first < 0xc0) return false;
  if (first <= 0xf7) return left === first - 0xc0;
  const size = first - 0xf7;
  let length = 0;
  for (let index = 1; index <= size; index++) length = length * 256 + (bytes[start + index] ?? 0);
  return left === size + length;
}

function looksLikeTransaction(bytes: Uint8Array): boolean {
  if (bytes.length < SHORTEST_TRANSACTION) return false;
  const typed = (bytes[0] ?? 0) >= 1 && (bytes[0] ?? 0) <= LAST_TRANSACTION_TYPE;
  return isRlpList(bytes, typed ? 1 : 0);
}

const note = (text: string): Effect => ({ kind: 'note', text });

/** Warns of what a message may be besides what it seems. */
function* disguises(bytes: Uint8Array, decoded: string | undefined): Generator<Effect> {
  const isHash = bytes.length === HASH_BYTES && (decoded === undefined || !PLAIN.test(decoded));
  if (isHash || (decoded !== undefined && WRITTEN_HASH.test(decoded.trim()))) yield { kind: 'opaque', what: 'hash' };
  if (bytes.length === TYPED_DATA_BYTES && bytes[0] === 0x19 && bytes[1] === 0x01)
    yield { kind: 'opaque', what: 'typed-data' };
  // Text in some scripts looks like a short RLP list by chance. A list as long as a transaction is never UTF-8.
  if (decoded === undefined && looksLikeTransaction(bytes)) yield { kind: 'opaque', what: 'transaction' };
  if (decoded === undefined) yield note('This message is not text. It is shown as hex.');
  else if (isDeceptive(decoded))
    yield note('This message contains deceptive or invisible characters. They are shown as \\u{…}.');
  if (decoded !== undefined && GAP.test(decoded))
    yield note('This message has long gaps. Text may be hidden below them.');
  if (bytes.length === 0) yield note('This message is empty.');
}

/** A decoded message. `content` is its text, or undefined if it is not text. */
type MessageReading = {
  readonly title?: string;
  readonly lines: readonly Line[];
  readonly effects: readonly Effect[];
  readonly content: string | undefined;
};

/** Decodes a message of any bytes, and says what is suspicious about it, except its length. */
export function readMessage(bytes: Uint8Array, view: Viewpoint): MessageReading {
  const decoded = textOf(bytes);
  const { effects = [], ...signIn } = (decoded === undefined ? undefined : readSignIn(decoded, view)) ?? { lines: [] };
  return { ...signIn, effects: [...disguises(bytes, decoded), ...effects], content: decoded };
}
