import { parsePath, resolvePath } from '../../../content/paths';
import { arg, defineRoute, link, READS_A_VALUE } from '../../route';

export const dagResolve = defineRoute({
  path: 'dag/resolve',
  ...READS_A_VALUE,
  cids: 'plain',
  args: [arg('ref')],
  options: {},
  run: async (_service, { args: [path = ''], load, format, reply }) => {
    const { cid, remainder } = await resolvePath(parsePath(path), load);
    await reply.value({ Cid: link(cid, format), RemPath: remainder.map((name) => `/${name}`).join('') });
  },
});
