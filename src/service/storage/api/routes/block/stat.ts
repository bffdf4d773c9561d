import { resolveToBlock } from '../../../content/paths';
import { arg, defineRoute } from '../../route';

export const blockStat = defineRoute({
  path: 'block/stat',
  costs: ['path', 'read', 'hash', 'value'],
  needs: ['read'],
  cids: 'plain',
  args: [arg('cid')],
  options: {},
  run: async (_service, { args: [path = ''], load, format, reply }) => {
    const cid = await resolveToBlock(path, load);
    await reply.value({ Key: format(cid), Size: (await load(cid)).length });
  },
});
