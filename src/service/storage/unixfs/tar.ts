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
const MAX_USTAR_SIZE = 0o77777777777;

const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;

function ustarHeader(entry: TarEntry): Uint8Array {
  const header = new Uint8Array(RECORD);
  const put = (at: number, bytes: Uint8Array | string, most: number) => {
    header.set((typeof bytes === 'string' ? encoder.encode(bytes) : bytes).subarray(0, most), at);
  };
  put(0, entry.name, 100);
  put(100, octal(MODES[entry.type], 7), 8);
  put(108, octal(0, 7), 8);
  put(116, octal(0, 7), 8);
  put(124, octal(Math.min(entry.size, MAX_USTAR_SIZE), 11), 12);
  put(136, octal(entry.time, 11), 12);
  put(148, '        ', 8);
  put(156, TYPE_FLAGS[entry.type], 1);
  put(157, entry.target ?? '', 100);
  put(257, 'ustar\x0000', 8);
  put(329, octal(0, 7), 8);
  put(337, octal(0, 7), 8);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${octal(sum, 6)} `, 8);
  return header;
}

/** A PAX record `length key=value\n`, whose length counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

const fits = (text: string) => encoder.encode(text).length <= 100 && /^[\x20-\x7e]*$/.test(text);

/** The header records of an entry: USTAR, with a PAX header in front for what that cannot hold. */
export function tarHeader(entry: TarEntry): Uint8Array {
  const records = [
    ...(fits(entry.name) ? [] : [paxRecord('path', entry.name)]),
    ...(fits(entry.target ?? '') ? [] : [paxRecord('linkpath', entry.target ?? '')]),
    ...(entry.size > MAX_USTAR_SIZE ? [paxRecord('size', String(entry.size))] : []),
  ];
  if (records.length === 0) return ustarHeader(entry);
  const content = encoder.encode(records.join(''));
  const pax = ustarHeader({ name: 'PaxHeaders.0/entry', type: 'pax', size: content.length, time: 0 });
  return Buffer.concat([pax, content, tarPadding(content.length), ustarHeader(entry)]);
}

/** The zeros that fill up the last record of `size` bytes of content. */
export const tarPadding = (size: number): Uint8Array => new Uint8Array((RECORD - (size % RECORD)) % RECORD);

/** Two empty records. */
export const TAR_END = new Uint8Array(2 * RECORD);
