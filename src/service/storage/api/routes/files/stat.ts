import { canonicalPath, resolveToBlock } from '../../../content/paths';
import { attributeFields } from '../../../content/unixfs/attributes';
import { clientFault, CommandError } from '../../../errors';
import { bool, text } from '../../options';
import { arg, defineRoute } from '../../route';
import { DAG_PB, RAW } from '../../../content/unixfs/file-builder';
import { decodeFileNode } from '../../../content/unixfs/file-reader';
import { decodePb, unixFsOf, UnixFsType } from '../../../content/unixfs/node';

/** Kubo's own, which counts as none. */
const DEFAULT_FORMAT = `<hash>
Size: <size>
CumulativeSize: <cumulsize>
ChildBlocks: <childs>
Type: <type>`;

/** `hash` and `size` are short for formats of the command-line tool, which takes one only. */
const formatsIn = ({
  format,
  hash,
  size,
}: {
  format?: string | undefined;
  hash?: boolean | undefined;
  size?: boolean | undefined;
}) => [format !== undefined && format !== DEFAULT_FORMAT, hash === true, size === true].filter(Boolean).length;

/** Supports paths under `/ipfs` only; there is no mutable file system as in Kubo. */
export const filesStat = defineRoute({
  path: 'files/stat',
  args: [arg('path')],
  options: { format: text(), hash: bool(), size: bool(), 'with-local': bool() },
  run: async (_service, { args: [path = ''], options, load, format, reply }) => {
    if (formatsIn(options) > 1) {
      throw clientFault('format was set by multiple options. Only one format option is allowed');
    }
    if (!canonicalPath(path).startsWith('/ipfs/')) {
      throw new CommandError('this service has no mutable file system: give a path under /ipfs/');
    }
    const cid = await resolveToBlock(path, load);
    if (cid.code !== DAG_PB && cid.code !== RAW) throw new CommandError('not unixfs node (proto or raw)');
    const bytes = await load(cid);
    const links = cid.code === DAG_PB ? decodePb(bytes).Links : [];
    const unixFs = cid.code === DAG_PB ? unixFsOf(decodePb(bytes)) : undefined;
    const type = cid.code === DAG_PB ? unixFs?.type : UnixFsType.File;
    const isDirectory = type === UnixFsType.Directory || type === UnixFsType.Shard;
    await reply.value({
      Hash: format(cid),
      Size: isDirectory ? 0 : decodeFileNode(cid, bytes).size,
      CumulativeSize: links.reduce((sum, { Tsize = 0 }) => sum + Tsize, bytes.length),
      Blocks: links.length,
      Type: isDirectory ? 'directory' : 'file',
      ...attributeFields(unixFs ?? {}),
    });
  },
});
