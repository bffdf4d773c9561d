import { decodeBlock, encodeValue } from '../../../content/codecs';
import { parsePath, resolvePath, valueAt } from '../../../content/paths';
import { text } from '../../options';
import { ANY_ENCODING, arg, defineRoute, loadForAnswer } from '../../route';

/** A node takes this many times its block once it is written in another codec. */
const MEMORY_TIMES = 4;

export const dagGet = defineRoute({
  path: 'dag/get',
  encodings: ANY_ENCODING,
  args: [arg('ref')],
  options: { 'output-codec': text() },
  run: async (_service, call) => {
    const { args, options, load, reply } = call;
    const { cid, remainder } = await resolvePath(parsePath(args[0] ?? ''), load);
    const stored = await loadForAnswer(cid, call, MEMORY_TIMES);
    const value = valueAt(decodeBlock(cid, stored), remainder);
    const { bytes } = encodeValue(options['output-codec'] ?? 'dag-json', value);
    await reply.whole(bytes.length);
    reply.beginBytes();
    reply.end(bytes);
  },
});
