const RECORD = 512;
const encoder = new TextEncoder();

export type TarEntry = {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'pax';
  /** Bytes of content that follow the header. */
  readonly size: number;
  readonly target?: string;
  /** Seconds since the epoch. */
  readonly time: number;
};

const TYPE_FLAGS = { file: '0', directory: '5', symlink: '2', pax: 'x' };
const MODES = { file: 0o644, directory: 0o777, symlink: 0o777, pax: 0 };
const MAX_NAME = 100;
const MAX_PREFIX = 155;
const MAX_USTAR_SIZE = 0o77777777777;

const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;

/** Text without non-ASCII characters, as Go's archive/tar writes it where a PAX record has the full text. */
const asciiOf = (text: string) => [...text].filter((character) => character > '\0' && character < '\x80').join('');

/** A non-ASCII character has more UTF-8 bytes than UTF-16 units. */
const isAscii = (text: string) => encoder.encode(text).length === text.length;

function ustarHeader(entry: TarEntry, prefix = ''): Uint8Array {
  const header = new Uint8Array(RECORD);
  const put = (at: number, text: string, most: number) => {
    header.set(encoder.encode(text).subarray(0, most), at);
  };
  // A truncated name must not look like that of a directory.
  put(0, asciiOf(entry.name).slice(0, MAX_NAME).replace(/\/+$/, ''), MAX_NAME);
  put(100, octal(MODES[entry.type], 7), 8);
  put(108, octal(0, 7), 8);
  put(116, octal(0, 7), 8);
  put(124, octal(Math.min(entry.size, MAX_USTAR_SIZE), 11), 12);
  put(136, octal(entry.time, 11), 12);
  put(148, '        ', 8);
  put(156, TYPE_FLAGS[entry.type], 1);
  put(157, asciiOf(entry.target ?? ''), MAX_NAME);
  put(257, 'ustar\x0000', 8);
  put(329, octal(0, 7), 8);
  put(337, octal(0, 7), 8);
  put(345, prefix, MAX_PREFIX);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${octal(sum, 6)} `, 8);
  return header;
}

/** A PAX record `length key=value\n`, whose length includes itself. */
function paxRecord(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

const fits = (text: string) => text.length <= MAX_NAME && isAscii(text);

/**
 * Splits a long name at a slash into the two USTAR fields; undefined if there is no suitable slash.
 *
 * @see splitUSTARPath of Go's archive/tar
 */
function split(name: string): { readonly prefix: string; readonly name: string } | undefined {
  if (name.length <= MAX_NAME || !isAscii(name)) return undefined;
  const at = name.lastIndexOf('/', MAX_PREFIX);
  const rest = name.slice(at + 1);
  return at <= 0 || rest.length > MAX_NAME || rest === '' ? undefined : { prefix: name.slice(0, at), name: rest };
}

/** The name of the PAX header for `name`: in a sibling directory. */
function paxName(name: string): string {
  const at = name.lastIndexOf('/') + 1;
  return `${name.slice(0, at)}PaxHeaders.0/${name.slice(at)}`;
}

/** The header records of an entry: USTAR, preceded by a PAX header for what USTAR cannot hold. The bytes match Go's. */
export function tarHeader(entry: TarEntry): Uint8Array {
  const parts = split(entry.name);
  // In key order. With any PAX record the whole entry is PAX, whose name is not split.
  const target = fits(entry.target ?? '') ? [] : [paxRecord('linkpath', entry.target ?? '')];
  const size = entry.size > MAX_USTAR_SIZE ? [paxRecord('size', String(entry.size))] : [];
  const needsPax = target.length + size.length > 0 || !(fits(entry.name) || parts !== undefined);
  if (!needsPax) return ustarHeader({ ...entry, ...(parts && { name: parts.name }) }, parts?.prefix);
  const path = fits(entry.name) ? [] : [paxRecord('path', entry.name)];
  const content = encoder.encode([...target, ...path, ...size].join(''));
  const pax = ustarHeader({ name: paxName(entry.name), type: 'pax', size: content.length, time: 0 });
  return Buffer.concat([pax, content, tarPadding(content.length), ustarHeader(entry)]);
}

/** The zeros that pad the last record of `size` bytes of content. */
export const tarPadding = (size: number): Uint8Array => new Uint8Array((RECORD - (size % RECORD)) % RECORD);

/** Two empty records. */
export const TAR_END = new Uint8Array(2 * RECORD);
