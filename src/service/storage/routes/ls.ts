import { type CID } from 'multiformats/cid';
import { type PBLink } from '@ipld/dag-pb';
import { type LoadBlock } from '../dag/blockReader';
import { resolveToBlock } from '../dag/paths';
import { CommandError } from '../errors';
import { bool } from '../http/options';
import { type Call, args, defineRoute } from '../route';
import { DAG_PB, RAW } from '../unixfs/fileBuilder';
import { shardEntries } from '../unixfs/hamt';
import { decodePb, unixFsOf, UnixFsType } from '../unixfs/node';

/** What kind of entry a CID is; types are numbered as in UnixFS, 0 is unknown. */
type Kind = { readonly Size: number; readonly Type: number; readonly Target: string };

const UNKNOWN: Kind = { Size: 0, Type: 0, Target: '' };

async function kindOf(cid: CID, load: LoadBlock): Promise<Kind> {
  if (cid.code !== DAG_PB && cid.code !== RAW) return UNKNOWN;
  const bytes = await load(cid);
  if (cid.code === RAW) return { Size: bytes.length, Type: UnixFsType.File, Target: '' };
  const unixFs = unixFsOf(decodePb(bytes));
  if (unixFs === undefined) throw new CommandError(`${cid.toString()} is not a UnixFS node`);
  const { type, fileSize, data } = unixFs;
  if (type === UnixFsType.Directory || type === UnixFsType.Shard) {
    return { Size: 0, Type: UnixFsType.Directory, Target: '' };
  }
  if (type === UnixFsType.Symlink) return { Size: 0, Type: type, Target: Buffer.from(data).toString('utf8') };
  return { Size: fileSize, Type: UnixFsType.File, Target: '' };
}

/** The links of a directory by their names, or the chunks of a file. */
async function* linksOf(cid: CID, load: LoadBlock): AsyncGenerator<PBLink> {
  if (cid.code === RAW) return;
  if (cid.code !== DAG_PB) throw new CommandError('unrecognized node type');
  const node = decodePb(await load(cid));
  const unixFs = unixFsOf(node);
  if (unixFs?.type === UnixFsType.Shard) yield* shardEntries({ node, unixFs }, load);
  else yield* node.Links;
}

async function* listing(
  path: string,
  kinds: boolean,
  { load, format }: Pick<Call<unknown>, 'load' | 'format'>,
): AsyncGenerator<{ Name: string; Hash: string } & Kind> {
  for await (const { Name = '', Hash } of linksOf(await resolveToBlock(path, load), load)) {
    const kind = kinds ? await kindOf(Hash, load) : UNKNOWN;
    yield { Name, Hash: format(Hash), ...kind };
  }
}

export const ls = defineRoute({
  path: 'ls',
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
      reply.beginObjects();
      reply.end();
      return;
    }
    const Objects = [];
    let entries = 0;
    for (const path of paths) {
      const Links = [];
      for await (const Link of listing(path, kinds, call)) {
        if (++entries > limits.entries) {
          throw new CommandError(
            `there are more than the allowed ${limits.entries} entries; list them with stream=true`,
          );
        }
        Links.push(Link);
      }
      // Sharded directories come in the order of their hashes.
      Links.sort((a, b) => Buffer.compare(Buffer.from(a.Name), Buffer.from(b.Name)));
      Objects.push({ Hash: path, Links });
    }
    reply.value({ Objects });
  },
});
