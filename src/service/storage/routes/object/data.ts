import { arg, defineRoute } from '../../route';
import { loadNode } from './node';

export const objectData = defineRoute({
  path: 'object/data',
  args: [arg('key')],
  options: {},
  run: async (_service, call) => {
    const { node } = await loadNode(call.args[0] ?? '', call);
    call.reply.beginBytes();
    call.reply.end(node.Data);
  },
});
