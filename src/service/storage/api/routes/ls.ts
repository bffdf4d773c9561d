import { type CID } from 'multiformats/cid';
import { type PBLink } from '@ipld/dag-pb';
import { type LoadBlock } from '../../content/block-reader';
import { linksOf } from '../../content/codecs';
import { resolveToBlock } from '../../content/paths';
import { Visited } from '../../content/visited';
import { walk } from '../../content/walk';
import { ListingSize } from '../listing';
import { bool } from '../options';
import { type Call, args, defineRoute } from '../route';
import { DAG_PB, RAW } from '../../content/unixfs/file-builder';
import { timeText } from '../../content/unixfs/attributes';
import { shardReader } from '../../content/unixfs/hamt';
import { decodePb, mustBeUnixFs, symlinkTarget, UnixFsType } from '../../content/unixfs/node';

/** The kind of an entry; types are numbered as in UnixFS, 0 is unknown. */
type Kind = {
  readonly Size: number;
  readonly Type: number;
  readonly Target: string;
  readonly Mode?: number;
  readonly ModTime?: string;
};

const UNKNOWN: Kind = { Size: 0, Type: 0, Target: '' };

/** @param look whether to read the entry's block for what the link does not say. */
async function kindOf({ cid, size }: Entry, look: boolean, load: LoadBlock): Promise<Kind> {
  // A raw block is pure content: its link says everything, and the block need not exist locally.
  if (cid.code === RAW) return { Size: size, Type: UnixFsType.File, Target: '' };
  if (cid.code !== DAG_PB || !look) return UNKNOWN;
  const { type, fileSize, data, mode, mtime } = mustBeUnixFs(decodePb(await load(cid)));
  const ModTime = mtime && timeText(mtime);
  const attributes = { ...(mode !== undefined && { Mode: mode }), ...(ModTime !== undefined && { ModTime }) };
  if (type === UnixFsType.Directory || type === UnixFsType.Shard || type === UnixFsType.Metadata) {
    return { Size: 0, Type: UnixFsType.Directory, Target: '', ...attributes };
  }
  if (type === UnixFsType.Symlink) return { Size: data.length, Type: type, Target: symlinkTarget(data), ...attributes };
  return { Size: fileSize, Type: UnixFsType.File, Target: '', ...attributes };
}

type Entry = { readonly name: string; readonly cid: CID; readonly size: number };

const entryOf = ({ Name = '', Hash, Tsize = 0 }: PBLink): Entry => ({ name: Name, cid: Hash, size: Tsize });

/** The entries of a directory by name; or the nameless chunks of a file, or links of any other node. */
async function* entriesOf(cid: CID, { load, walker }: Reading): AsyncGenerator<Entry> {
  const bytes = await load(cid);
  if (cid.code !== DAG_PB) {
    yield* linksOf(cid, bytes).map((link) => ({ name: link.name, cid: link.cid, size: 0 }));
    return;
  }
  const node = decodePb(bytes);
  if (mustBeUnixFs(node).type !== UnixFsType.Shard) {
    yield* node.Links.map(entryOf);
    return;
  }
  const read = shardReader(new Visited(walker.charge.memory));
  for await (const { node: shard } of walk({ cid, bytes }, read, walker)) yield* shard.entries.map(entryOf);
}

type Reading = Pick<Call<unknown>, 'load' | 'walker'>;

type ListedEntry = { readonly Name: string; readonly Hash: string } & Kind;

async function* listing(
  path: string,
  kinds: boolean,
  call: Reading & Pick<Call<unknown>, 'format'>,
): AsyncGenerator<ListedEntry> {
  const { load, format } = call;
  for await (const entry of entriesOf(await resolveToBlock(path, load), call)) {
    yield { Name: entry.name, Hash: format(entry.cid), ...(await kindOf(entry, kinds, load)) };
  }
}

export const ls = defineRoute({
  path: 'ls',
  costs: ['arguments', 'path', 'read', 'hash', 'decode', 'walk', 'listing', 'stream'],
  needs: ['read'],
  args: [args('ipfs-path')],
  options: { headers: bool('v'), 'resolve-type': bool(), size: bool(), stream: bool('s'), long: bool('l') },
  run: async ({ limits }, call) => {
    const { args: paths, options, reply } = call;
    const kinds = (options['resolve-type'] ?? true) || (options.size ?? true);
    if (options.stream === true) {
      for (const path of paths) {
        for await (const Link of listing(path, kinds, call)) {
          await reply.object({ Objects: [{ Hash: path, Links: [Link] }] });
        }
      }
      reply.endObjects();
      return;
    }
    const Objects = [];
    const size = new ListingSize(limits.entries, call.answer, 'entries');
    for (const path of paths) {
      const Links = [];
      for await (const Link of listing(path, kinds, call)) {
        await size.add(Link.Name, Link.Hash, Link.Target);
        Links.push(Link);
      }
      // Entries of sharded directories arrive in hash order.
      Links.sort((a, b) => Buffer.compare(Buffer.from(a.Name), Buffer.from(b.Name)));
      Objects.push({ Hash: path, Links });
    }
    await reply.value({ Objects });
  },
});
