import { type CID } from 'multiformats/cid';
import { keyText } from '../../blocks/block-index';
import { type LoadBlock } from '../../dag/block-reader';
import { resolveToBlock } from '../../dag/paths';
import { clientFault, CommandError } from '../../errors';
import { bool } from '../../http/options';
import { arg, defineRoute } from '../../route';
import { DAG_PB } from '../../unixfs/file-builder';
import { decodePb } from '../../unixfs/node';

const ChangeType = { Add: 0, Remove: 1, Mod: 2 } as const;

type Change = { readonly Type: number; readonly Path: string; readonly Before?: CID; readonly After?: CID };

async function linksOf(cid: CID, load: LoadBlock): Promise<{ name: string; cid: CID }[]> {
  if (cid.code !== DAG_PB) return [];
  return decodePb(await load(cid)).Links.map(({ Name = '', Hash }) => ({ name: Name, cid: Hash }));
}

/** Two nodes under one path to compare. */
type Pair = { readonly before: CID; readonly after: CID; readonly path: string; readonly depth: number };

/** The results of comparing two nodes, in order: changes below a name come before removals and additions. */
async function compare({ before, after, path, depth }: Pair, load: LoadBlock): Promise<(Pair | Change)[]> {
  const old = await linksOf(before, load);
  const added = await linksOf(after, load);
  if (old.length === 0 && added.length === 0) {
    return [{ Type: ChangeType.Mod, Path: path, Before: before, After: after }];
  }
  const inside = (name: string) => (path === '' ? name : `${path}/${name}`);
  const pairs: Pair[] = [];
  const removed: Change[] = [];
  // The first link of each name: further links of the same name cannot be matched.
  const byName = new Map([...added].reverse().map((link) => [link.name, link]));
  const matched = new Set<object>();
  for (const { name, cid } of old) {
    const match = byName.get(name);
    byName.delete(name);
    if (match === undefined) removed.push({ Type: ChangeType.Remove, Path: inside(name), Before: cid });
    else {
      matched.add(match);
      pairs.push({ before: cid, after: match.cid, path: inside(name), depth: depth + 1 });
    }
  }
  const isNew = added
    .filter((link) => !matched.has(link))
    .map(({ name, cid }) => ({ Type: ChangeType.Add, Path: inside(name), After: cid }));
  return [...pairs, ...removed, ...isNew];
}

/** Marks the end of a pair's subtree: the number of changes before it. */
type End = { readonly pair: string; readonly changes: number };

/**
 * Yields the changes that turn the tree `before` into `after`, by link names.
 *
 * @throws CommandError if a block is missing, or the trees are deeper than `maxDepth` levels.
 */
async function* changes(before: CID, after: CID, load: LoadBlock, maxDepth: number): AsyncGenerator<Change> {
  // A few nodes may be linked under any number of names, so pairs without changes are compared once.
  const same = new Set<string>();
  const waiting: (Pair | Change | End)[] = [{ before, after, path: '', depth: 0 }];
  let found = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('Type' in next) {
      found++;
      yield next;
    } else if ('pair' in next) {
      if (next.changes === found) same.add(next.pair);
    } else {
      const pair = keyText(next.before.bytes) + keyText(next.after.bytes);
      if (next.before.equals(next.after) || same.has(pair)) continue;
      if (next.depth > maxDepth) throw new CommandError('the nodes are nested too deeply');
      waiting.push({ pair, changes: found });
      for (const each of (await compare(next, load)).reverse()) waiting.push(each);
    }
  }
}

type ToldLink = { readonly '/': string } | null;
type ToldChange = { readonly Type: number; readonly Path: string; readonly Before: ToldLink; readonly After: ToldLink };

function inSigns({ Type, Path, Before, After }: ToldChange): string {
  const sign = { [ChangeType.Add]: '+', [ChangeType.Remove]: '-', [ChangeType.Mod]: '~' }[Type] ?? '';
  return [
    sign,
    ...(Before === null ? [] : [Before['/']]),
    ...(After === null ? [] : [After['/']]),
    JSON.stringify(Path),
  ].join(' ');
}

function inWords({ Type, Path, Before, After }: ToldChange): string {
  const name = JSON.stringify(Path);
  if (Type === ChangeType.Add) return `Added new link ${name} pointing to ${After?.['/'] ?? ''}.`;
  if (Type === ChangeType.Remove) return `Removed link ${name} (was ${Before?.['/'] ?? ''}).`;
  return `Changed ${name} from ${Before?.['/'] ?? ''} to ${After?.['/'] ?? ''}.`;
}

export const objectDiff = defineRoute({
  path: 'object/diff',
  cids: 'plain',
  args: [arg('obj_a'), arg('obj_b')],
  options: { verbose: bool('v') },
  text: ({ Changes }: { Changes: readonly ToldChange[] }, { verbose }) =>
    Changes.map((change) => `${verbose === true ? inWords(change) : inSigns(change)}\n`).join(''),
  run: async ({ limits }, { args: [first = '', second = ''], load, format, reply }) => {
    const before = await resolveToBlock(first, load);
    const after = await resolveToBlock(second, load);
    const link = (cid: CID | undefined) => (cid === undefined ? null : { '/': format(cid) });
    const Changes = [];
    for await (const { Type, Path, Before, After } of changes(before, after, load, limits.dagDepth)) {
      if (Changes.length >= limits.entries) {
        throw clientFault(`there are more than the allowed ${limits.entries} changes`);
      }
      Changes.push({ Type, Path, Before: link(Before), After: link(After) });
    }
    await reply.value({ Changes });
  },
});
