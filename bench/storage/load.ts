import { connect, type Socket } from 'node:net';

const END = Buffer.from('0\r\n\r\n');

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Sends one request and counts the bytes of the answer, without looking at them more than needed. */
function exchange(socket: Socket, head: string, body?: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const onData = (piece: Buffer) => {
      if (bytes === 0 && !piece.subarray(9, 12).equals(Buffer.from('200'))) reject(new Error(piece.toString()));
      bytes += piece.length;
      if (!piece.subarray(-END.length).equals(END)) return;
      socket.off('data', onData);
      resolve(bytes);
    };
    socket.on('data', onData);
    // One write for what is small: two would wait for each other's acknowledgement.
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

/** Adds one file; seconds taken. */
export async function addSeconds(port: number, content: Uint8Array, query = ''): Promise<number> {
  const socket = await open(port);
  const body = form(content);
  const start = performance.now();
  await exchange(socket, head(`add${query}`, body.length, FORM), body);
  socket.destroy();
  return (performance.now() - start) / 1000;
}

/** Reads one file; seconds taken. */
export async function catSeconds(port: number, cid: string): Promise<number> {
  const socket = await open(port);
  const start = performance.now();
  await exchange(socket, head(`cat?arg=${cid}`, 0));
  socket.destroy();
  return (performance.now() - start) / 1000;
}

/** Requests a second over several connections, each sending its next request when the answer to the last is there. */
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
    const socket = await open(port);
    while (performance.now() < until) {
      const { path, content } = request(count++);
      const body = content === undefined ? undefined : form(content);
      await exchange(socket, head(path, body?.length ?? 0, body === undefined ? '' : FORM), body);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return count / ((performance.now() - start) / 1000);
}
