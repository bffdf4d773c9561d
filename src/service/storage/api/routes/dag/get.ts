import { decodeBlock, encodeValue } from '../../../content/codecs';
import { parsePath, resolvePath, valueAt } from '../../../content/paths';
import { text } from '../../options';
import { ANY_ENCODING, arg, type Call, defineRoute, loadForAnswer, READS_A_VALUE } from '../../route';

/** A node takes this many times its block once it is written in another codec. */
const MEMORY_TIMES = 4;

/** The answer. In a function of its own, so that the block and its value are not kept until it can be sent. */
async function answerOf(path: string, codec: string, call: Call<unknown>): Promise<Uint8Array> {
  const { cid, remainder } = await resolvePath(parsePath(path), call.load);
  const stored = await loadForAnswer(cid, call, MEMORY_TIMES);
  return encodeValue(codec, valueAt(decodeBlock(cid, stored), remainder)).bytes;
}

export const dagGet = defineRoute({
  path: 'dag/get',
  ...READS_A_VALUE,
  encodings: ANY_ENCODING,
  args: [arg('ref')],
  options: { 'output-codec': text() },
  run: async (_service, call) => {
    const { args, options, reply } = call;
    const bytes = await answerOf(args[0] ?? '', options['output-codec'] ?? 'dag-json', call);
    await reply.whole(bytes.length);
    reply.beginBytes();
    reply.end(bytes);
  },
});
