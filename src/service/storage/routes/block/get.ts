import { resolveToBlock } from '../../dag/paths';
import { arg, defineRoute } from '../../route';

export const blockGet = defineRoute({
  path: 'block/get',
  args: [arg('cid')],
  options: {},
  run: async (_service, { args: [path = ''], load, reply }) => {
    const bytes = await load(await resolveToBlock(path, load));
    reply.beginBytes();
    reply.end(bytes);
  },
});
