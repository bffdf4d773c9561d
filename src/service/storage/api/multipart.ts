import { clientFault, type CommandError, RequestError } from '../errors';
import { mediaParameter } from '../http/media-type';

/** One part of a multipart body; `body` must be read to its end before the next part is requested. */
export type Part = {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** The name of the form's field; empty if absent. */
  readonly name: string;
  /** The decoded path given as `filename`, undefined if absent. */
  readonly filename: string | undefined;
  readonly contentType: string;
  readonly body: AsyncGenerator<Uint8Array>;
};

const CRLF = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEAD = 16 << 10;
const MAX_NESTING = 4;
/** Spaces and tabs after a boundary. */
const MAX_PADDING = 4096;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const DASH = 0x2d;
const truncated = (): CommandError => clientFault('multipart: NextPart: EOF');

/**
 * The boundary of a `Content-Type`, undefined if it is not multipart.
 *
 * @throws RequestError 400 if it is multipart without a boundary.
 */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^\s*multipart\//i.test(contentType)) return undefined;
  // Lenient: the boundary is accepted from any text that contains it, while Go requires every parameter to be
  // well-formed.
  const match = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/i.exec(contentType);
  const boundary = match?.[1]?.replace(/\\(["\\])/g, '$1') ?? match?.[2];
  if (boundary === undefined || boundary === '') {
    throw new RequestError(400, 'no multipart boundary param in Content-Type');
  }
  if (boundary.length > 70) throw new RequestError(400, 'multipart: boundary is too long');
  return boundary;
}

/** Kubo decodes file names like query text: `%2F` and `+`. Text that is not valid that way is used as it is. */
function decodeFilename(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A window over the bytes of a stream, which grows only as far as the parser needs to look ahead. */
class Window {
  readonly #source: AsyncIterator<Uint8Array>;
  bytes: Buffer = Buffer.from(CRLF);
  /** Whether the delimiter that was read last closes the body. */
  isClosed = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Reads more bytes; false at the end of the stream. */
  async more(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    const { buffer, byteOffset, byteLength } = next.value;
    const piece = Buffer.from(buffer, byteOffset, byteLength);
    this.bytes = this.bytes.length === 0 ? piece : Buffer.concat([this.bytes, piece]);
    return true;
  }

  drop(length: number): void {
    this.bytes = this.bytes.subarray(length);
  }
}

/** The number of bytes at the end of `bytes` that may be the start of `delimiter`. */
function heldBack(bytes: Buffer, delimiter: Buffer): number {
  const start = Math.max(0, bytes.length - delimiter.length + 1);
  for (let at = bytes.indexOf(0x0d, start); at >= 0; at = bytes.indexOf(0x0d, at + 1)) {
    if (bytes.subarray(at).equals(delimiter.subarray(0, bytes.length - at))) return bytes.length - at;
  }
  return 0;
}

/** How a line goes on after `--boundary`; `end` is where its CRLF begins. */
type LineRest =
  | { readonly is: 'delimiter' | 'closing'; readonly end: number }
  | { readonly is: 'content' | 'incomplete' };

/**
 * Reads on after `--boundary`. A delimiter is a whole line: the boundary, `--` if it is the last, padding, and CRLF
 * (RFC 2046, section 5.1.1). Anything else is content. The closing delimiter may also be the end of the stream.
 */
function restOfLine(bytes: Buffer, from: number, isEnd: boolean): LineRest {
  const isClosing = bytes[from] === DASH && bytes[from + 1] === DASH;
  const start = isClosing ? from + 2 : from;
  let end = start;
  while (bytes[end] === SPACE || bytes[end] === TAB) end++;
  if (end - start > MAX_PADDING) throw clientFault('multipart: a boundary has too much padding');
  const isCut = end === bytes.length || (bytes[end] === CARRIAGE_RETURN && end + 1 === bytes.length);
  if (isCut && isClosing && isEnd) return { is: 'closing', end };
  if (isCut || (bytes[from] === DASH && from + 1 === bytes.length)) return { is: 'incomplete' };
  if (bytes[end] !== CARRIAGE_RETURN || bytes[end + 1] !== LINE_FEED) return { is: 'content' };
  return { is: isClosing ? 'closing' : 'delimiter', end };
}

/**
 * Ends after the boundary of the next delimiter. Nothing of the body is the last piece until the whole line was seen.
 */
async function* readBody(window: Window, delimiter: Buffer): AsyncGenerator<Uint8Array> {
  for (let isEnd = false; ;) {
    const { ready, rest } = nextDelimiter(window.bytes, delimiter, isEnd);
    const piece = window.bytes.subarray(0, ready);
    window.drop(rest === undefined ? ready : rest.end);
    if (piece.length > 0) yield piece;
    if (rest !== undefined) {
      window.isClosed = rest.is === 'closing';
      return;
    }
    if (isEnd) throw truncated();
    isEnd = !(await window.more());
  }
}

/**
 * Finds the next line that is a delimiter. What only begins like one is content, of which a client may send any number:
 * it is passed over in one step.
 *
 * @returns How many bytes before it are content, and the line if it is complete.
 */
function nextDelimiter(bytes: Buffer, delimiter: Buffer, isEnd: boolean) {
  for (let from = 0; ;) {
    const at = bytes.indexOf(delimiter, from);
    if (at < 0) return { ready: Math.max(from, bytes.length - heldBack(bytes, delimiter)), rest: undefined };
    from = at + delimiter.length;
    const rest = restOfLine(bytes, from, isEnd);
    if ('end' in rest) return { ready: at, rest };
    if (rest.is === 'incomplete') return { ready: at, rest: undefined };
  }
}

async function readHead(window: Window): Promise<Map<string, string>> {
  let end = window.bytes.indexOf(HEAD_END);
  while (end < 0) {
    if (window.bytes.length > MAX_HEAD) throw clientFault('multipart: part headers are too long');
    if (!(await window.more())) throw truncated();
    end = window.bytes.indexOf(HEAD_END);
  }
  const headers = new Map<string, string>();
  for (const line of window.bytes.toString('utf8', 0, end).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
    else if (line !== '') throw clientFault('multipart: malformed part header');
  }
  window.drop(end + HEAD_END.length);
  return headers;
}

/**
 * Reads a multipart body part by part, including nested multipart parts.
 *
 * @param onHead - Called for each part, also for one that holds others.
 * @throws CommandError (client's fault) if the body is truncated or malformed.
 */
export async function* readParts(
  source: AsyncIterable<Uint8Array>,
  boundary: string,
  onHead: () => void = () => undefined,
  nesting = 0,
): AsyncGenerator<Part> {
  if (nesting > MAX_NESTING) throw clientFault('multipart: nested too deeply');
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const window = new Window(source);
  await skip(readBody(window, delimiter));
  while (!window.isClosed) {
    const headers = await readHead(window);
    onHead();
    const body = readBody(window, delimiter);
    const contentType = headers.get('content-type') ?? '';
    const inner = boundaryOf(contentType);
    if (inner !== undefined) yield* readParts(body, inner, onHead, nesting + 1);
    else yield { headers, ...namesOf(headers), contentType, body };
    await skip(body);
  }
  // Anything after the last boundary is ignored, but read, so that the connection can be reused.
  for (window.bytes = Buffer.alloc(0); await window.more();) window.bytes = Buffer.alloc(0);
}

function namesOf(headers: ReadonlyMap<string, string>): Pick<Part, 'name' | 'filename'> {
  const disposition = headers.get('content-disposition') ?? '';
  const filename = mediaParameter(disposition, 'filename');
  return {
    name: mediaParameter(disposition, 'name') ?? '',
    filename: filename === undefined ? undefined : decodeFilename(filename),
  };
}

async function skip(body: AsyncGenerator<Uint8Array>): Promise<void> {
  for await (const piece of body) void piece;
}
