import { bool } from '../../../http/options';
import { arg, defineRoute } from '../../../route';
import { editLinks, noLink, withoutLink } from './edit';

export const objectPatchRmLink = defineRoute({
  path: 'object/patch/rm-link',
  cids: 'plain',
  args: [arg('root'), arg('name')],
  options: { 'allow-big-block': bool() },
  text: ({ Hash }: { Hash: string }) => `${Hash}\n`,
  run: async (service, call) => {
    const {
      args: [root = '', path = ''],
      format,
      reply,
    } = call;
    const cid = await editLinks(service, call, { root, path, create: false }, (links, name) => {
      const rest = withoutLink(links, name);
      if (rest.length === links.length) throw noLink();
      return rest;
    });
    await reply.value({ Hash: format(cid) });
  },
});
