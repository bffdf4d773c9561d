import { LruCache } from '../runtime/lru-cache';

/** The head of a plain request. */
export type PlainHead = {
  /** From the path. */
  key: string;
  host: string;
  /** Length of the body, in bytes. */
  length: number;
};

/** Longer heads are left to node:http, which has its own limits. */
const MAX_HEAD = 4096;

const REQUEST_LINE = /^POST \/v3\/([\w-]+) HTTP\/1\.1$/u;
/**
 * A header field line (RFC 9112, section 5): a token, a colon, a value without control characters. The value must not
 * start with whitespace: if either side could match it, a long run would take quadratic time.
 */
const FIELD_LINE = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*((?:[!-~\u0080-\u00ff][\t -~\u0080-\u00ff]*)?)$/u;
const JSON_TYPE = /^application\/json *(?:; *charset=utf-8 *)?$/iu;
const LENGTH = /^\d{1,9}$/u;
/** Other whitespace around a value is left to node:http to strip or reject. */
const PRINTABLE = /^[ -~]*$/u;

/** Fields that change the message's framing, meaning or connection. A request with one of them is not plain. */
const SPECIAL = new Set([
  'transfer-encoding',
  'content-encoding',
  'trailer',
  'te',
  'upgrade',
  'expect',
  'proxy-connection',
]);

/**
 * Parses the head of a plain request: an HTTP/1.1 POST to `/v3/<API_KEY>` with a JSON body of stated length, on a
 * persistent connection. It rejects nothing: whatever is not clearly plain, whether wrong or merely unusual, is left to
 * node:http.
 *
 * @param head - From the first byte up to the empty line, excluding it and the line break before; one character per
 * byte.
 * @returns The parsed head; undefined if it is not plain.
 */
export function readPlainHead(head: string): PlainHead | undefined {
  if (head.length > MAX_HEAD) return undefined;
  const [first = '', ...lines] = head.split('\r\n');
  const key = REQUEST_LINE.exec(first)?.[1];
  if (key === undefined) return undefined;
  const once = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = FIELD_LINE.exec(line) ?? [];
    if (name === undefined) return undefined;
    const known = name.toLowerCase();
    if (SPECIAL.has(known)) return undefined;
    if (known !== 'host' && known !== 'content-length' && known !== 'content-type' && known !== 'connection') continue;
    if (once.has(known) || !PRINTABLE.test(value)) return undefined;
    once.set(known, value.trimEnd());
  }
  const host = once.get('host');
  const length = once.get('content-length') ?? '';
  const keeps = (once.get('connection') ?? 'keep-alive').toLowerCase() === 'keep-alive';
  if (!host || !keeps || !LENGTH.test(length) || !JSON_TYPE.test(once.get('content-type') ?? '')) return undefined;
  return { key, host, length: Number(length) };
}

/** Heads cached in each of two generations: at most 2 MiB in total with the longest heads. */
const REMEMBERED = 256;

/** Parses the heads of plain requests, with a cache: one program sends mostly the same few heads. */
export class PlainHeads {
  readonly #known = new LruCache<string, PlainHead>(REMEMBERED);
  /** The most recent one: comparing is faster than a map lookup. */
  #last: { head: string; plain: PlainHead } | undefined;

  /** Like {@link readPlainHead}. */
  read(head: string): PlainHead | undefined {
    if (head === this.#last?.head) return this.#last.plain;
    const known = this.#known.get(head);
    if (known) return known;
    // A copy, also for its substrings: a slice keeps the whole original string in memory.
    const copy = Buffer.from(head, 'latin1').toString('latin1');
    const plain = readPlainHead(copy);
    if (!plain) return undefined;
    this.#known.set(copy, plain);
    this.#last = { head: copy, plain };
    return plain;
  }
}
