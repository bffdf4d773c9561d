import { type CID } from 'multiformats/cid';
import { keyText } from '../../blocks/block-index';
import { type LoadBlock } from '../../dag/block-reader';
import { type Link, linksOf } from '../../dag/codecs';
import { resolveToBlock } from '../../dag/paths';
import { clientFault, CommandError } from '../../errors';
import { bool, int, text } from '../../http/options';
import { type Limits } from '../../limits';
import { args, defineRoute } from '../../route';

const DEFAULT_FORMAT = '<dst>';
const EDGES_FORMAT = '<src> -> <dst>';

type Node = { readonly cid: CID; readonly links: readonly Link[] };

type Reference = { readonly from: CID; readonly to: CID; readonly name: string };

type Bounds = {
  /** Maximum depth of the reported references below the roots. */
  readonly depth: number;
  /** Whether to report each block only once. */
  readonly unique: boolean;
} & Pick<Limits, 'dagBlocks' | 'dagDepth' | 'dagPending'>;

const loadNode = async (cid: CID, load: LoadBlock): Promise<Node> => ({ cid, links: linksOf(cid, await load(cid)) });

/**
 * The links below `roots` in Kubo's order: each before the links below it, and only if the block it points to exists.
 *
 * @throws CommandError if a block is missing or unreadable, or a limit is exceeded.
 */
async function* walkReferences(roots: readonly CID[], load: LoadBlock, bounds: Bounds): AsyncGenerator<Reference> {
  /**
   * The depth at which each block was reported: seen again at a smaller depth, it is not reported again but may lead
   * further.
   */
  const seen = new Map<string, number>();
  let count = 0;
  let pending = 0;
  const stack: { node: Node; next: number }[] = [];
  const enter = (node: Node) => {
    pending += node.links.length;
    if (pending > bounds.dagPending) {
      throw clientFault(`the DAG has more than the allowed ${bounds.dagPending} links side by side`);
    }
    stack.push({ node, next: 0 });
  };
  for (const root of roots) {
    enter(await loadNode(root, load));
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const depth = stack.length;
      const link = depth > bounds.depth ? undefined : top.node.links[top.next++];
      if (link === undefined) {
        pending -= top.node.links.length;
        stack.pop();
        continue;
      }
      const key = keyText(link.cid.multihash.bytes);
      const before = bounds.unique ? seen.get(key) : undefined;
      if (before !== undefined && before <= depth) continue;
      if (bounds.unique) seen.set(key, depth);
      const node = await loadNode(link.cid, load);
      if (before === undefined) {
        if (++count > bounds.dagBlocks) {
          throw clientFault(`there are more than the allowed ${bounds.dagBlocks} references`);
        }
        yield { from: top.node.cid, to: link.cid, name: link.name };
      }
      if (depth >= bounds.depth || node.links.length === 0) continue;
      if (depth >= bounds.dagDepth) {
        throw clientFault(`the DAG is deeper than the allowed ${bounds.dagDepth} levels`);
      }
      enter(node);
    }
  }
}

export const refs = defineRoute({
  path: 'refs',
  args: [args('ipfs-path')],
  options: { format: text(), edges: bool('e'), unique: bool('u'), recursive: bool('r'), 'max-depth': int() },
  text: ({ Ref, Err }: { Ref: string; Err: string }) => (Err === '' ? `${Ref}\n` : `${Err}\n`),
  run: async ({ limits }, { args: paths, options, load, format, reply }) => {
    const wanted = options.format ?? DEFAULT_FORMAT;
    if (options.edges === true && wanted !== DEFAULT_FORMAT) {
      throw new CommandError('using format argument with edges is not allowed');
    }
    const template = options.edges === true ? EDGES_FORMAT : wanted === '' ? DEFAULT_FORMAT : wanted;
    const maxDepth = options.recursive === true ? (options['max-depth'] ?? -1) : 1;
    const roots: CID[] = [];
    for (const path of paths) roots.push(await resolveToBlock(path, load));

    const references = walkReferences(roots, load, {
      depth: maxDepth < 0 ? Infinity : maxDepth,
      unique: options.unique === true,
      ...limits,
    });
    try {
      for await (const { from, to, name } of references) {
        const Ref = template
          .replaceAll('<src>', format(from))
          .replaceAll('<dst>', format(to))
          // A replacement function, because a name may contain replacement patterns (`$&`).
          .replaceAll('<linkname>', () => name);
        await reply.object({ Ref, Err: '' });
      }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await reply.object({ Ref: '', Err: error.message });
    }
    reply.beginObjects();
    reply.end();
  },
});
