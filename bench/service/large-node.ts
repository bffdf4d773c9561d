import { createServer } from 'node:http';

/*
 * A node whose answers to eth_getLogs are large, run as a process of its own: `<port>`. It prints a line once it
 * listens. The answers are bytes from the start, as writing text would take the time of others on the machine.
 */

/** The length of an answer in bytes. */
const LARGE_ANSWER = 30 << 20;

const large = Buffer.from(JSON.stringify('x'.repeat(LARGE_ANSWER)));

createServer((sent, response) => {
  let body = '';
  sent.on('data', (piece: Buffer) => (body += piece.toString()));
  sent.on('end', () => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    response.write(`{"jsonrpc":"2.0","id":${id},"result":`);
    response.write(method === 'eth_getLogs' ? large : '"0x1"');
    response.end('}');
  });
}).listen(Number(process.argv[2]), '127.0.0.1', () => {
  console.log('ready');
});
