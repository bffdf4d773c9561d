import { clientFault, type CommandError, RequestError } from '../errors';
import { mediaParameter } from './media-type';

/** One part of a multipart body; `body` must be read to its end before the next part is requested. */
export type Part = {
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** The decoded path given as `filename`, undefined if absent. */
  readonly filename: string | undefined;
  readonly contentType: string;
  readonly body: AsyncGenerator<Uint8Array>;
};

const CRLF = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEAD = 16 << 10;
const MAX_NESTING = 4;
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

  async need(length: number): Promise<void> {
    while (this.bytes.length < length) if (!(await this.more())) throw truncated();
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

async function* readBody(window: Window, delimiter: Buffer): AsyncGenerator<Uint8Array> {
  for (;;) {
    const end = window.bytes.indexOf(delimiter);
    if (end >= 0) {
      const last = window.bytes.subarray(0, end);
      window.drop(end + delimiter.length);
      if (last.length > 0) yield last;
      return;
    }
    const ready = window.bytes.length - heldBack(window.bytes, delimiter);
    const piece = window.bytes.subarray(0, ready);
    window.drop(ready);
    if (piece.length > 0) yield piece;
    if (!(await window.more())) throw truncated();
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
 * @throws CommandError (client's fault) if the body is truncated or malformed.
 */
export async function* readParts(
  source: AsyncIterable<Uint8Array>,
  boundary: string,
  nesting = 0,
): AsyncGenerator<Part> {
  if (nesting > MAX_NESTING) throw clientFault('multipart: nested too deeply');
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const window = new Window(source);
  await skip(readBody(window, delimiter));
  for (;;) {
    await window.need(2);
    if (window.bytes.toString('latin1', 0, 2) === '--') break;
    if (!window.bytes.subarray(0, 2).equals(CRLF)) throw clientFault('multipart: malformed boundary line');
    const headers = await readHead(window);
    const body = readBody(window, delimiter);
    const contentType = headers.get('content-type') ?? '';
    const inner = boundaryOf(contentType);
    if (inner !== undefined) yield* readParts(body, inner, nesting + 1);
    else yield { headers, filename: filenameOf(headers), contentType, body };
    await skip(body);
  }
  // Anything after the last boundary is ignored, but read, so that the connection can be reused.
  for (window.bytes = Buffer.alloc(0); await window.more(); ) window.bytes = Buffer.alloc(0);
}

function filenameOf(headers: ReadonlyMap<string, string>): string | undefined {
  const filename = mediaParameter(headers.get('content-disposition') ?? '', 'filename');
  return filename === undefined ? undefined : decodeFilename(filename);
}

async function skip(body: AsyncGenerator<Uint8Array>): Promise<void> {
  for await (const piece of body) void piece;
}
