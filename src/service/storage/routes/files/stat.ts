import { resolveToBlock } from '../../dag/paths';
import { clientFault, CommandError } from '../../errors';
import { bool, text } from '../../http/options';
import { arg, defineRoute } from '../../route';
import { DAG_PB, RAW } from '../../unixfs/file-builder';
import { decodeFileNode } from '../../unixfs/file-reader';
import { decodePb, unixFsOf, UnixFsType } from '../../unixfs/node';

type FileStat = {
  readonly Hash: string;
  readonly Size: number;
  readonly CumulativeSize: number;
  readonly Blocks: number;
  readonly Type: string;
};

type FormatOptions = {
  readonly format?: string | undefined;
  readonly hash?: boolean | undefined;
  readonly size?: boolean | undefined;
};

const DEFAULT_FORMAT = `<hash>
Size: <size>
CumulativeSize: <cumulsize>
ChildBlocks: <childs>
Type: <type>`;

/**
 * `hash` and `size` are shortcuts for formats.
 *
 * @throws CommandError with the client's code if more than one format is given
 */
function formatOf({ format = DEFAULT_FORMAT, hash = false, size = false }: FormatOptions): string {
  if (Number(hash) + Number(size) + Number(format !== DEFAULT_FORMAT) > 1) {
    throw clientFault('format was set by multiple options. Only one format option is allowed');
  }
  if (hash) return '<hash>';
  return size ? '<cumulsize>' : format;
}

/** Supports paths under `/ipfs` only; there is no mutable file system as in Kubo. */
export const filesStat = defineRoute({
  path: 'files/stat',
  args: [arg('path')],
  options: { format: text(), hash: bool(), size: bool(), 'with-local': bool() },
  text: ({ Hash, Size, CumulativeSize, Blocks, Type }: FileStat, options) =>
    `${formatOf(options)
      .replaceAll('<hash>', Hash)
      .replaceAll('<size>', String(Size))
      .replaceAll('<cumulsize>', String(CumulativeSize))
      .replaceAll('<childs>', String(Blocks))
      .replaceAll('<type>', Type)}\n`,
  run: async (_service, { args: [path = ''], options, load, format, reply }) => {
    formatOf(options);
    if (!path.startsWith('/ipfs/')) {
      throw new CommandError('this service has no mutable file system: give a path under /ipfs/');
    }
    const cid = await resolveToBlock(path, load);
    if (cid.code !== DAG_PB && cid.code !== RAW) throw new CommandError('not unixfs node (proto or raw)');
    const bytes = await load(cid);
    const links = cid.code === DAG_PB ? decodePb(bytes).Links : [];
    const type = cid.code === DAG_PB ? unixFsOf(decodePb(bytes))?.type : UnixFsType.File;
    const isDirectory = type === UnixFsType.Directory || type === UnixFsType.Shard;
    await reply.value({
      Hash: format(cid),
      Size: isDirectory ? 0 : decodeFileNode(cid, bytes).size,
      CumulativeSize: links.reduce((sum, { Tsize = 0 }) => sum + Tsize, bytes.length),
      Blocks: links.length,
      Type: isDirectory ? 'directory' : 'file',
    });
  },
});
