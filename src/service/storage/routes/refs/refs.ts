import { type CID } from 'multiformats/cid';
import { keyText } from '../../blocks/blockIndex';
import { linksOf } from '../../dag/codecs';
import { resolveToBlock } from '../../dag/paths';
import { CommandError } from '../../errors';
import { bool, int, text } from '../../http/options';
import { args, defineRoute } from '../../route';

const DEFAULT_FORMAT = '<dst>';
const EDGES_FORMAT = '<src> -> <dst>';

export const refs = defineRoute({
  path: 'refs',
  args: [args('ipfs-path')],
  options: { format: text(), edges: bool('e'), unique: bool('u'), recursive: bool('r'), 'max-depth': int() },
  text: ({ Ref, Err }: { Ref: string; Err: string }) => (Err === '' ? `${Ref}\n` : `${Err}\n`),
  run: async ({ limits }, { args: paths, options, load, format, reply }) => {
    if (options.edges === true && options.format !== undefined) {
      throw new CommandError('using format argument with edges is not allowed');
    }
    const template = options.edges === true ? EDGES_FORMAT : (options.format ?? DEFAULT_FORMAT);
    const maxDepth = options.recursive === true ? (options['max-depth'] ?? -1) : 1;
    const depthLimit = maxDepth < 0 ? limits.dagDepth : Math.min(maxDepth, limits.dagDepth);
    const roots: CID[] = [];
    for (const path of paths) roots.push(await resolveToBlock(path, load));

    let count = 0;
    const seen = new Set<string>();
    const stack = depthLimit === 0 ? [] : roots.map((cid) => ({ cid, depth: 0 })).reverse();
    try {
      for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
        const { cid, depth } = top;
        const below: typeof stack = [];
        for (const { cid: child, name } of linksOf(cid, await load(cid))) {
          const key = keyText(child.multihash.bytes);
          if (options.unique === true && seen.has(key)) continue;
          seen.add(key);
          if (++count > limits.dagBlocks) {
            throw new CommandError(`there are more than the allowed ${limits.dagBlocks} references`);
          }
          const Ref = template
            .replaceAll('<src>', format(cid))
            .replaceAll('<dst>', format(child))
            .replaceAll('<linkname>', name);
          await reply.object({ Ref, Err: '' });
          if (depth + 1 < depthLimit && stack.length + below.length >= limits.dagPending) {
            throw new CommandError(`the DAG has more than the allowed ${limits.dagPending} links side by side`);
          }
          if (depth + 1 < depthLimit) below.push({ cid: child, depth: depth + 1 });
        }
        stack.push(...below.reverse());
      }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await reply.object({ Ref: '', Err: error.message });
    }
    reply.beginObjects();
    reply.end();
  },
});
