import { ANY_ENCODING, arg, defineRoute } from '../../route';
import { loadNode } from './node';

export const objectData = defineRoute({
  path: 'object/data',
  encodings: ANY_ENCODING,
  args: [arg('key')],
  options: {},
  run: async (_service, call) => {
    const { node } = await loadNode(call.args[0] ?? '', call);
    call.reply.beginBytes();
    call.reply.end(...(node.Data === undefined ? [] : [node.Data]));
  },
});
