import { connect, type Socket } from 'node:net';

const END = Buffer.from('0\r\n\r\n');
const READ_AT_ONCE = 1 << 20;

/** A connection; received data is read into the same memory repeatedly, so that the client costs little. */
type Connection = { readonly socket: Socket; onPiece: (piece: Buffer) => void };

function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const connection: Connection = {
      socket: connect(
        {
          port,
          host: '127.0.0.1',
          noDelay: true,
          onread: {
            buffer: Buffer.allocUnsafeSlow(READ_AT_ONCE),
            callback: (length, buffer) => {
              connection.onPiece(Buffer.from(buffer.buffer, 0, length));
              return true;
            },
          },
        },
        () => {
          resolve(connection);
        },
      ),
      onPiece: () => undefined,
    };
    connection.socket.once('error', reject);
  });
}

/** Sends one request and counts the bytes of the response, inspecting as little as possible. */
function exchange(connection: Connection, head: string, body?: Uint8Array): Promise<number> {
  const { socket } = connection;
  return new Promise((resolve, reject) => {
    let bytes = 0;
    connection.onPiece = (piece) => {
      if (bytes === 0 && !piece.subarray(9, 12).equals(Buffer.from('200'))) reject(new Error(piece.toString()));
      bytes += piece.length;
      if (piece.subarray(-END.length).equals(END)) resolve(bytes);
    };
    // A single write for small requests: two writes would wait for each other's acknowledgement.
    if (body !== undefined && body.length > 65_536) {
      socket.write(head);
      socket.write(body);
    } else socket.write(body === undefined ? head : Buffer.concat([Buffer.from(head), body]));
  });
}

const head = (path: string, length: number, type = '') =>
  `POST /api/v0/${path} HTTP/1.1\r\nHost: bench\r\n${type}Content-Length: ${length}\r\n\r\n`;
const FORM = 'Content-Type: multipart/form-data; boundary=XbX\r\n';
const form = (content: Uint8Array) =>
  Buffer.concat([
    Buffer.from('--XbX\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'),
    content,
    Buffer.from('\r\n--XbX--\r\n'),
  ]);

/** Adds one file; returns the seconds taken. */
export async function addSeconds(port: number, content: Uint8Array, query = ''): Promise<number> {
  const connection = await open(port);
  const body = form(content);
  const start = performance.now();
  await exchange(connection, head(`add${query}`, body.length, FORM), body);
  connection.socket.destroy();
  return (performance.now() - start) / 1000;
}

/** Reads one file; returns the seconds taken. */
export async function catSeconds(port: number, cid: string): Promise<number> {
  const connection = await open(port);
  const start = performance.now();
  await exchange(connection, head(`cat?arg=${cid}`, 0));
  connection.socket.destroy();
  return (performance.now() - start) / 1000;
}

/** Requests per second over several connections, each sending its next request once it has the response to the last. */
export async function rate(
  port: number,
  connections: number,
  seconds: number,
  request: (index: number) => { readonly path: string; readonly content?: Uint8Array },
): Promise<number> {
  let count = 0;
  const start = performance.now();
  const until = start + seconds * 1000;
  const worker = async () => {
    const connection = await open(port);
    while (performance.now() < until) {
      const { path, content } = request(count++);
      const body = content === undefined ? undefined : form(content);
      await exchange(connection, head(path, body?.length ?? 0, body === undefined ? '' : FORM), body);
    }
    connection.socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return count / ((performance.now() - start) / 1000);
}
