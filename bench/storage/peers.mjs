import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { FsBlockstore } from 'blockstore-fs';
import { exporter } from 'ipfs-unixfs-exporter';
import { importer } from 'ipfs-unixfs-importer';

/*
 * A file store with one file per block, as the importer and the exporter are usually used: a separate process, since
 * the garbage it leaves would slow down the caller. `peers.mjs <directory>`; the message `{ add: MiB }` adds a new
 * file, and `{ read: number }` reads one. Each is answered with the elapsed seconds and the processor seconds.
 */

const store = new FsBlockstore(process.argv[2]);
await store.open();
const cids = [];

async function add(content) {
  let root;
  for await (const { cid } of importer([{ content }], store, { profile: 'unixfs-v0-2015' })) root = cid;
  cids.push(root);
}

async function read(number) {
  const file = await exporter(cids[number], store);
  let bytes = 0;
  for await (const piece of file.content()) bytes += piece.length;
  if (bytes !== Number(file.size)) throw new Error('the file was not read whole');
}

process.on('message', async (message) => {
  const content = message.add === undefined ? undefined : randomBytes(message.add * 2 ** 20);
  const [start, before] = [performance.now(), process.cpuUsage()];
  await (content === undefined ? read(message.read) : add(content));
  const { user, system } = process.cpuUsage(before);
  process.send({ seconds: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 });
});
