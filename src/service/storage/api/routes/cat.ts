import { CommandError } from '../../errors';
import { resolveToBlock } from '../../content/paths';
import { bool, int64 } from '../options';
import { ANY_ENCODING, args, defineRoute } from '../route';
import { decodeFileNode, type Range, readFile } from '../../content/unixfs/file-reader';
import { type Step } from '../../content/visited';
import { type Walker } from '../../content/walk';

export const cat = defineRoute({
  path: 'cat',
  costs: ['arguments', 'path', 'read', 'hash', 'decode', 'walk', 'stream'],
  needs: ['read'],
  encodings: ANY_ENCODING,
  args: [args('ipfs-path')],
  options: { offset: int64('o'), length: int64('l'), progress: bool('p') },
  run: async (_service, { args: paths, options, load, walker, reply }) => {
    const { offset = 0, length = Number.MAX_SAFE_INTEGER } = options;
    if (offset < 0) throw new CommandError('cannot specify negative offset');
    if (length < 0) throw new CommandError('cannot specify negative length');

    // Offset and length apply to the concatenated files; files after the last requested byte are not resolved.
    let skip = offset;
    let left = length;
    const parts: Part[] = [];
    for (const path of paths) {
      if (left === 0) break;
      const cid = await resolveToBlock(path, load);
      const bytes = await load(cid);
      const { size } = decodeFileNode(cid, bytes);
      const start = Math.min(skip, size);
      const count = Math.min(left, size - start);
      skip -= start;
      left -= count;
      // Of several files, the roots are read again, so that not all of them are kept in memory.
      parts.push({ file: { cid, ...(paths.length === 1 && { bytes }) }, range: { offset: start, length: count } });
    }
    const total = parts.reduce((sum, { range }) => sum + range.length, 0);

    const content = readParts(parts, walker);
    // Read before the status is sent, so that a file that cannot be read at all gets an ordinary error.
    const first = await content.next();
    reply.beginBytes(total);
    for (let piece = first; piece.done !== true; piece = await content.next()) await reply.write(piece.value);
    reply.end();
  },
});

type Part = { readonly file: Step; readonly range: Range };

// Declared outside `run`: a generator function created per request would survive into V8's old generation, and keep the
// whole request alive.
async function* readParts(parts: readonly Part[], walker: Walker): AsyncGenerator<Uint8Array> {
  for (const { file, range } of parts) yield* readFile(file, range, walker);
}
