import { parsePath, resolvePath } from '../../dag/paths';
import { arg, defineRoute, link } from '../../route';

export const dagResolve = defineRoute({
  path: 'dag/resolve',
  cids: 'kept in text',
  args: [arg('ref')],
  options: {},
  text: ({ Cid, RemPath }: { Cid: { '/': string }; RemPath: string }) => `${Cid['/']}${RemPath}`,
  run: async (_service, { args: [path = ''], load, format, reply }) => {
    const { cid, remainder } = await resolvePath(parsePath(path), load);
    await reply.value({ Cid: link(cid, format), RemPath: remainder.map((name) => `/${name}`).join('') });
  },
});
