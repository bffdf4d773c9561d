import { decodeBlock, encodeValue } from '../../dag/codecs';
import { parsePath, resolvePath, valueAt } from '../../dag/paths';
import { text } from '../../http/options';
import { ANY_ENCODING, arg, defineRoute } from '../../route';

export const dagGet = defineRoute({
  path: 'dag/get',
  encodings: ANY_ENCODING,
  args: [arg('ref')],
  options: { 'output-codec': text() },
  run: async (_service, { args: [path = ''], options, load, reply }) => {
    const { cid, remainder } = await resolvePath(parsePath(path), load);
    const value = valueAt(decodeBlock(cid, await load(cid)), remainder);
    const { bytes } = encodeValue(options['output-codec'] ?? 'dag-json', value);
    reply.beginBytes();
    reply.end(bytes);
  },
});
