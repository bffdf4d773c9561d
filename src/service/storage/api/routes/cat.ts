import { CommandError } from '../../errors';
import { type LoadBlock } from '../../content/block-reader';
import { resolveToBlock } from '../../content/paths';
import { bool, int64 } from '../options';
import { ANY_ENCODING, args, defineRoute } from '../route';
import { decodeFileNode, type FileNode, type Range, readFile } from '../../content/unixfs/file-reader';

export const cat = defineRoute({
  path: 'cat',
  encodings: ANY_ENCODING,
  args: [args('ipfs-path')],
  options: { offset: int64('o'), length: int64('l'), progress: bool('p') },
  run: async (_service, { args: paths, options, load, reply }) => {
    const { offset = 0, length = Number.MAX_SAFE_INTEGER } = options;
    if (offset < 0) throw new CommandError('cannot specify negative offset');
    if (length < 0) throw new CommandError('cannot specify negative length');

    // Offset and length apply to the concatenated files; files after the last requested byte are not resolved.
    let skip = offset;
    let left = length;
    const ranges: { readonly file: FileNode; readonly range: Range }[] = [];
    for (const path of paths) {
      if (left === 0) break;
      const cid = await resolveToBlock(path, load);
      const file = decodeFileNode(cid, await load(cid));
      const start = Math.min(skip, file.size);
      const count = Math.min(left, file.size - start);
      skip -= start;
      left -= count;
      ranges.push({ file, range: { offset: start, length: count } });
    }
    const total = ranges.reduce((sum, { range }) => sum + range.length, 0);

    const content = readRanges(ranges, load);
    // The first piece is read before the status is sent, so that a file that cannot be read at all gets an ordinary
    // error. Each piece is sent after the next one was read, so that the last one is sent together with the end.
    let pieces = await content.next();
    reply.beginBytes(total);
    while (pieces.done !== true) {
      const { value } = pieces;
      const next = await content.next().catch(async (error: unknown) => {
        await reply.write(...value);
        throw error;
      });
      if (next.done === true) break;
      await reply.write(...value);
      pieces = next;
    }
    reply.end(...(pieces.done === true ? [] : pieces.value));
  },
});

// Declared outside `run`: a generator function created per request would survive into V8's old generation, and keep the
// whole request alive.
async function* readRanges(
  ranges: readonly { readonly file: FileNode; readonly range: Range }[],
  load: LoadBlock,
): AsyncGenerator<readonly Uint8Array[]> {
  for (const { file, range } of ranges) yield* readFile(file, range, load);
}
