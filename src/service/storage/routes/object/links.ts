import { bool } from '../../http/options';
import { arg, defineRoute } from '../../route';
import { loadNode, objectLinks } from './node';

export const objectLinksRoute = defineRoute({
  path: 'object/links',
  args: [arg('key')],
  options: { headers: bool('v') },
  run: async (_service, call) => {
    const { cid, node } = await loadNode(call.args[0] ?? '', call);
    const Links = objectLinks(node, call);
    call.reply.value({ Hash: call.format(cid), ...(Links.length > 0 ? { Links } : {}) });
  },
});
