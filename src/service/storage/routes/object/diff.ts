import { type CID } from 'multiformats/cid';
import { type LoadBlock } from '../../dag/blockReader';
import { resolveToBlock } from '../../dag/paths';
import { clientFault, CommandError } from '../../errors';
import { bool } from '../../http/options';
import { arg, defineRoute } from '../../route';
import { DAG_PB } from '../../unixfs/fileBuilder';
import { decodePb } from '../../unixfs/node';

const ChangeType = { Add: 0, Remove: 1, Mod: 2 } as const;

type Change = { readonly Type: number; readonly Path: string; readonly Before?: CID; readonly After?: CID };

async function linksOf(cid: CID, load: LoadBlock): Promise<{ name: string; cid: CID }[]> {
  if (cid.code !== DAG_PB) return [];
  return decodePb(await load(cid)).Links.map(({ Name = '', Hash }) => ({ name: Name, cid: Hash }));
}

/**
 * What makes the tree `after` out of `before`, by the names of links; what is below a name comes before what is gone or new.
 *
 * @throws CommandError when a block is missing, or the trees are deeper than `depth` levels.
 */
async function* changes(before: CID, after: CID, path: string, load: LoadBlock, depth: number): AsyncGenerator<Change> {
  if (before.equals(after)) return;
  if (depth < 0) throw new CommandError('the nodes are nested too deeply');
  const old = await linksOf(before, load);
  const added = await linksOf(after, load);
  if (old.length === 0 && added.length === 0) {
    yield { Type: ChangeType.Mod, Path: path, Before: before, After: after };
    return;
  }
  const inside = (name: string) => (path === '' ? name : `${path}/${name}`);
  const removed: Change[] = [];
  // First links of each name: more under one name have nothing that tells which belongs to which.
  const byName = new Map([...added].reverse().map((link) => [link.name, link]));
  const matched = new Set<object>();
  for (const { name, cid } of old) {
    const match = byName.get(name);
    byName.delete(name);
    if (match !== undefined) matched.add(match);
    if (match === undefined) removed.push({ Type: ChangeType.Remove, Path: inside(name), Before: cid });
    else yield* changes(cid, match.cid, inside(name), load, depth - 1);
  }
  yield* removed;
  for (const { name, cid } of added.filter((link) => !matched.has(link)))
    yield { Type: ChangeType.Add, Path: inside(name), After: cid };
}

export const objectDiff = defineRoute({
  path: 'object/diff',
  args: [arg('obj_a'), arg('obj_b')],
  options: { verbose: bool('v') },
  run: async ({ limits }, { args: [first = '', second = ''], load, format, reply }) => {
    const before = await resolveToBlock(first, load);
    const after = await resolveToBlock(second, load);
    const link = (cid: CID | undefined) => (cid === undefined ? null : { '/': format(cid) });
    const Changes = [];
    for await (const { Type, Path, Before, After } of changes(before, after, '', load, limits.dagDepth)) {
      if (Changes.length >= limits.entries) {
        throw clientFault(`there are more than the allowed ${limits.entries} changes`);
      }
      Changes.push({ Type, Path, Before: link(Before), After: link(After) });
    }
    reply.value({ Changes });
  },
});
