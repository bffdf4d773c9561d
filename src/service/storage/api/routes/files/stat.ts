import { canonicalPath, resolveToBlock } from '../../../content/paths';
import { attributeFields } from '../../../content/unixfs/attributes';
import { decodeEntry } from '../../../content/unixfs/entry';
import { CommandError } from '../../../errors';
import { bool, text } from '../../options';
import { arg, defineRoute, READS_A_VALUE } from '../../route';
import { DAG_PB, RAW } from '../../../content/unixfs/file-builder';
import { decodePb } from '../../../content/unixfs/node';

/** Supports paths under `/ipfs` only; there is no mutable file system as in Kubo. */
export const filesStat = defineRoute({
  path: 'files/stat',
  ...READS_A_VALUE,
  args: [arg('path')],
  options: { format: text(), hash: bool(), size: bool(), 'with-local': bool() },
  run: async (_service, { args: [path = ''], load, format, reply }) => {
    if (!canonicalPath(path).startsWith('/ipfs/')) {
      throw new CommandError('this service has no mutable file system: give a path under /ipfs/');
    }
    const cid = await resolveToBlock(path, load);
    if (cid.code !== DAG_PB && cid.code !== RAW) throw new CommandError('not unixfs node (proto or raw)');
    const bytes = await load(cid);
    const { kind, size, attributes } = decodeEntry(cid, bytes);
    const links = cid.code === DAG_PB ? decodePb(bytes).Links : [];
    await reply.value({
      Hash: format(cid),
      Size: kind === 'directory' ? 0 : size,
      CumulativeSize: links.reduce((sum, { Tsize = 0 }) => sum + Tsize, bytes.length),
      Blocks: links.length,
      Type: kind === 'directory' ? kind : 'file',
      ...attributeFields(attributes),
    });
  },
});
