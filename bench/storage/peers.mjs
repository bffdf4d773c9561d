import { FsBlockstore } from 'blockstore-fs';
import { exporter } from 'ipfs-unixfs-exporter';
import { importer } from 'ipfs-unixfs-importer';

/** A store of files, one a block, as the importer and the exporter are mostly used with. */
export async function openStore(directory) {
  const store = new FsBlockstore(directory);
  await store.open();
  return {
    /** Adds a file the usual way; returns its CID. */
    async importFile(content) {
      let root;
      for await (const { cid } of importer([{ content }], store, { profile: 'unixfs-v0-2015' })) root = cid;
      return root;
    },

    /** Reads a file the usual way; returns how many bytes came. */
    async exportFile(cid) {
      let bytes = 0;
      const file = await exporter(cid, store);
      for await (const piece of file.content()) bytes += piece.length;
      return bytes;
    },

    close: () => store.close(),
  };
}
