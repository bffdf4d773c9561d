import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

/*
 * The floor of any store on node:http: reads a body, hashes it in blocks of 256 KiB, writes them to one file, syncs it,
 * and answers. No multipart, no DAG, no index. `floor.ts <directory>`; prints its port.
 */

const BLOCK = 256 << 10;
const file = await open(join(process.argv[2] ?? '.', 'floor'), 'w');

async function take(body: AsyncIterable<Buffer>): Promise<void> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < BLOCK) continue;
    const hash = createHash('sha256');
    for (const each of pieces) hash.update(each);
    hash.digest();
    await file.writev(pieces);
    pieces = [];
    bytes = 0;
  }
  await file.datasync();
}

const server = createServer((request, response) => {
  void take(request).then(() => {
    // Chunked, as the load generator expects.
    response.write('done');
    response.end();
  });
}).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
