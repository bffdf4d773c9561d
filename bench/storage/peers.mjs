import { FsBlockstore } from 'blockstore-fs';
import { exporter } from 'ipfs-unixfs-exporter';
import { importer } from 'ipfs-unixfs-importer';

let store;

/** Adds a file the usual way; returns its CID. */
export async function importFile(content, directory) {
  store = new FsBlockstore(directory);
  await store.open();
  let root;
  for await (const { cid } of importer([{ content }], store, { profile: 'unixfs-v0-2015' })) root = cid;
  return root;
}

/** Reads a file the usual way; returns how many bytes came. */
export async function exportFile(cid) {
  let bytes = 0;
  const file = await exporter(cid, store);
  for await (const piece of file.content()) bytes += piece.length;
  return bytes;
}

export const close = () => store.close();
