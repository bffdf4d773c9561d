import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

import { WebSocket } from 'ws';

/*
 * A load generator, run as a separate process: `<http|ws> <url> <file of bodies, one per line> <connections>
 * <requests>`. Prints the seconds it took, and the 99th percentile of the milliseconds until an answer. Every
 * connection has one request in progress; the bodies are sent in order, repeatedly.
 */

const [kind, address, file, connections, requests] = process.argv.slice(2) as [string, string, string, string, string];
const wanted = Number(requests);
const url = new URL(address);
const bodies = readFileSync(file, 'utf8').split('\n');
const head = `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json`;
/** Complete HTTP requests, assembled before the clock starts. */
const whole =
  kind === 'http' ? bodies.map((body) => Buffer.from(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)) : [];
let sent = 0;
let answered = 0;
/** Milliseconds until each answer. */
const waits = new Float64Array(wanted + Number(connections));
const note = (since: number) => {
  waits[answered] = performance.now() - since;
  answered += 1;
};

/** Sends requests one after the other on a raw connection, and reads only the length of each response. */
function httpConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    let since = 0;
    const ask = () => {
      since = performance.now();
      socket.write(whole[sent % whole.length] as Buffer);
      sent += 1;
    };
    const socket: Socket = connect(Number(url.port), url.hostname, ask);
    socket.setNoDelay();
    let held: Buffer = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      held = held.length === 0 ? data : Buffer.concat([held, data]);
      const end = held.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/iu.exec(held.toString('latin1', 0, end))?.[1]);
      if (held.length < end + 4 + length) return;
      if (answered === 0 && !held.includes('"result"')) reject(new Error(held.toString()));
      held = Buffer.alloc(0);
      note(since);
      if (sent < wanted) ask();
      else {
        socket.destroy();
        resolve();
      }
    });
    socket.on('error', reject);
  });
}

function wsConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    let since = 0;
    const ask = () => {
      since = performance.now();
      socket.send(bodies[sent % bodies.length] as string);
      sent += 1;
    };
    socket.on('open', ask);
    socket.on('message', () => {
      note(since);
      if (sent < wanted) ask();
      else {
        socket.terminate();
        resolve();
      }
    });
    socket.on('error', reject);
  });
}

const started = performance.now();
const open = kind === 'ws' ? wsConnection : httpConnection;
await Promise.all(Array.from({ length: Number(connections) }, () => open()));
const seconds = (performance.now() - started) / 1000;
console.log(seconds, waits.subarray(0, answered).sort()[Math.floor(answered * 0.99)]);
