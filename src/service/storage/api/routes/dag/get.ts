import { decodeBlock, encodeValue } from '../../../content/codecs';
import { CommandError } from '../../../errors';
import { parsePath, resolvePath, valueAt } from '../../../content/paths';
import { text } from '../../options';
import { ANY_ENCODING, arg, defineRoute } from '../../route';

/** @throws CommandError like {@link encodeValue}, with the message of Kubo's `dag/get`. */
function written(codec: string, value: unknown): { bytes: Uint8Array } {
  try {
    return encodeValue(codec, value);
  } catch (error) {
    const isMissing = error instanceof CommandError && error.message.startsWith('no encoder registered');
    throw isMissing ? new CommandError(`invalid encoding: ${codec} - ${error.message}`) : error;
  }
}

export const dagGet = defineRoute({
  path: 'dag/get',
  encodings: ANY_ENCODING,
  args: [arg('ref')],
  options: { 'output-codec': text() },
  run: async (_service, { args: [path = ''], options, load, pace, reply }) => {
    const { cid, remainder } = await resolvePath(parsePath(path), load);
    const stored = await load(cid);
    const value = valueAt(decodeBlock(cid, stored), remainder);
    await pace.step(stored.length);
    const { bytes } = written(options['output-codec'] ?? 'dag-json', value);
    await reply.whole(bytes.length);
    reply.beginBytes();
    reply.end(bytes);
  },
});
