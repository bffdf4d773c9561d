import { resolveToBlock } from '../../../content/paths';
import { ANY_ENCODING, arg, defineRoute } from '../../route';

export const blockGet = defineRoute({
  path: 'block/get',
  encodings: ANY_ENCODING,
  args: [arg('cid')],
  options: {},
  run: async (_service, { args: [path = ''], load, reply }) => {
    const bytes = await load(await resolveToBlock(path, load));
    await reply.whole(bytes.length);
    reply.beginBytes();
    reply.end(bytes);
  },
});
