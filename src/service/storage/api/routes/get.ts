import { posix } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { canonicalPath, resolveToBlock } from '../../content/paths';
import { decodeEntry } from '../../content/unixfs/entry';
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
  yield* gzip as AsyncIterable<Uint8Array>;
  await feeding;
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
    const entry = decodeEntry(cid, bytes);
    const plain = compress && options.archive !== true;
    if (plain && entry.kind !== 'file') throw new CommandError('file is not regular');
    // Named after the resolved path, so that the name is never `..`.
    const name = posix.basename(posix.normalize(canonicalPath(path)));
    const content = plain
      ? readFile({ cid, bytes }, WHOLE, walker)
      : tarOf({ cid, bytes, name, entry }, walker, limits.entries);
    await send(compress ? gzipped(content, level) : content, entry.size, reply);
  },
});
