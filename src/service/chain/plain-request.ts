import { Recent } from '../runtime/lru-cache';

/** What a plain request says about itself. */
export type PlainHead = {
  /** Of the path. */
  key: string;
  host: string;
  /** Length of the body, in bytes. */
  length: number;
};

/** Longer heads are left to node:http, which has limits of its own. */
const MAX_HEAD = 4096;

const REQUEST_LINE = /^POST \/v3\/([\w-]+) HTTP\/1\.1$/u;
/**
 * A field line (RFC 9112, section 5): a token, a colon, a value without control characters. The value begins where the blanks
 * end: if either could have them, a long row of them would take time by the square of its length.
 */
const FIELD_LINE = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*((?:[!-~\u0080-\u00ff][\t -~\u0080-\u00ff]*)?)$/u;
const JSON_TYPE = /^application\/json *(?:; *charset=utf-8 *)?$/iu;
const LENGTH = /^\d{1,9}$/u;
/** What else may be around a value is for node:http to strip, or to refuse. */
const PRINTABLE = /^[ -~]*$/u;

/** Fields that change where a message ends, what it says or what happens next. A request that has one is not plain. */
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
 * Reads the head of a plain request: a POST to `/v3/<API_KEY>` by HTTP/1.1 whose body is JSON of a stated length, on a
 * connection that is to be kept. Nothing is refused here: what is not plain beyond doubt, wrong or merely unusual, is for
 * node:http to judge.
 *
 * @param head - From the first byte up to the empty line, neither that nor the line break before it included; one
 * character a byte.
 * @returns What it says; undefined if it is not plain.
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

/** Heads in each of two generations that are remembered: at most 2 MiB, all with their longest heads. */
const REMEMBERED = 256;

/** Reads the heads of plain requests. Those of one program are mostly the same few, which need to be read only once. */
export class PlainHeads {
  readonly #known = new Recent<string, PlainHead>(REMEMBERED);
  /** The last one that was read: to compare is faster than to search. */
  #last: { head: string; plain: PlainHead } | undefined;

  /** As {@link readPlainHead}. */
  read(head: string): PlainHead | undefined {
    if (head === this.#last?.head) return this.#last.plain;
    const known = this.#known.get(head);
    if (known) return known;
    // A copy, also of what is read from it: a part of a text keeps all of it in memory.
    const copy = Buffer.from(head, 'latin1').toString('latin1');
    const plain = readPlainHead(copy);
    if (!plain) return undefined;
    this.#known.set(copy, plain);
    this.#last = { head: copy, plain };
    return plain;
  }
}
