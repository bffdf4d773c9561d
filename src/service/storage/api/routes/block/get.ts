import { resolveToBlock } from '../../../content/paths';
import { ANY_ENCODING, arg, defineRoute, loadForAnswer } from '../../route';

export const blockGet = defineRoute({
  path: 'block/get',
  costs: ['path', 'read', 'hash', 'value'],
  needs: ['read'],
  encodings: ANY_ENCODING,
  args: [arg('cid')],
  options: {},
  run: async (_service, call) => {
    const { args, load, reply } = call;
    const bytes = await loadForAnswer(await resolveToBlock(args[0] ?? '', load), call, 1);
    await reply.whole(bytes.length);
    reply.beginBytes();
    reply.end(bytes);
  },
});
