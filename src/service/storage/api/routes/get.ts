import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type CID } from 'multiformats/cid';
import { canonicalPath, resolveToBlock } from '../../content/paths';
import { decodeEntry, type Entry } from '../../content/unixfs/entry';
import { readFile } from '../../content/unixfs/file-reader';
import { tarOf } from '../../content/unixfs/tar-archive';
import { CommandError } from '../../errors';
import { bool, int, text } from '../options';
import { type Reply } from '../reply';
import { ANY_ENCODING, arg, defineRoute } from '../route';

const WHOLE = { offset: 0, length: Number.MAX_SAFE_INTEGER };

async function* gzipped(content: AsyncIterable<Uint8Array>, level: number | undefined): AsyncGenerator<Uint8Array> {
  const gzip = createGzip(level === undefined ? {} : { level });
  const feeding = pipeline(content, gzip);
  feeding.catch(() => undefined);
  try {
    yield* gzip as AsyncIterable<Uint8Array>;
    await feeding;
  } finally {
    gzip.destroy();
    // Nothing is read any more once the request has ended: its memory is given back then.
    await feeding.catch(() => undefined);
  }
}

/** What a root is. Of a directory, the links are not kept: a function that waits keeps its variables. */
function describe(cid: CID, bytes: Uint8Array): Pick<Entry, 'kind' | 'size'> & { readonly entry?: Entry } {
  const entry = decodeEntry(cid, bytes);
  const { kind, size } = entry;
  return kind === 'directory' ? { kind, size } : { kind, size, entry };
}

async function send(content: AsyncIterable<Uint8Array>, size: number, reply: Reply): Promise<void> {
  for await (const piece of content) {
    if (!reply.started) reply.beginBytes(size);
    await reply.write(piece);
  }
  if (!reply.started) reply.beginBytes(size);
  reply.end();
}

export const get = defineRoute({
  path: 'get',
  costs: ['path', 'read', 'hash', 'decode', 'walk', 'archive', 'stream'],
  needs: ['read'],
  encodings: ANY_ENCODING,
  args: [arg('ipfs-path')],
  options: {
    output: text('o'),
    archive: bool('a'),
    compress: bool('C'),
    'compression-level': int('l'),
    progress: bool('p'),
  },
  run: async ({ limits }, { args: [path = ''], options, load, walker, reply }) => {
    const compress = options.compress === true;
    // Without compression the level has no meaning.
    const level = compress ? options['compression-level'] : undefined;
    if (level !== undefined && (level < 1 || level > 9)) {
      throw new CommandError('compression level must be between 1 and 9');
    }
    const cid = await resolveToBlock(path, load);
    const bytes = await load(cid);
    const { kind, size, ...known } = describe(cid, bytes);
    const plain = compress && options.archive !== true;
    if (plain && kind !== 'file') throw new CommandError('file is not regular');
    // Named after the resolved path, so that the name is never `..`.
    const name = posix.basename(posix.normalize(canonicalPath(path)));
    const content = plain
      ? readFile({ cid, bytes }, WHOLE, walker)
      : tarOf({ cid, bytes, name, ...known }, walker, limits.entries);
    await send(compress ? gzipped(content, level) : content, size, reply);
  },
});
