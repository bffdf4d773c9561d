import { connect } from 'node:net';

/** A response exactly as it was received. */
export type RawAnswer = {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with ` | `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** The lengths of the chunks; undefined if the body was not chunked. */
  readonly chunks: readonly number[] | undefined;
  readonly trailers: Readonly<Record<string, string>>;
};

export type RawRequest = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The address that the request comes from. */
  readonly from?: string;
};

/** Sends one request on a new connection, and reads until the server closes it. */
export async function rawRequest(
  port: number,
  { method = 'POST', path, headers = {}, body, from }: RawRequest,
): Promise<RawAnswer> {
  const socket = connect({ port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) });
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('data', (piece: Buffer) => received.push(piece));
    socket.on('close', () => {
      resolve();
    });
    // The server may close while a refused body is still being sent.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
    });
  });
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(method === 'POST' && headers['Content-Length'] === undefined ? [`Content-Length: ${body?.length ?? 0}`] : []),
    'Connection: close',
    '',
    '',
  ];
  socket.write(lines.join('\r\n'));
  if (body !== undefined) socket.write(body);
  await closed;
  return parseAnswer(Buffer.concat(received));
}

function parseHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)} | ${value}` : value);
  }
  return headers;
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`no answer, only ${bytes.length} bytes`);
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = parseHeaders(lines);
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (headers.get('transfer-encoding') !== 'chunked')
    return { status, headers, body: rest, chunks: undefined, trailers: {} };
  const chunks: number[] = [];
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) throw new Error('the chunked body is cut');
    const length = Number.parseInt(rest.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2;
    if (length === 0) break;
    chunks.push(length);
    pieces.push(rest.subarray(at, at + length));
    at += length + 2;
  }
  const trailerLines = rest
    .toString('utf8', at)
    .split('\r\n')
    .filter((line) => line !== '');
  const trailers = Object.fromEntries(
    trailerLines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status, headers, body: Buffer.concat(pieces), chunks, trailers };
}
