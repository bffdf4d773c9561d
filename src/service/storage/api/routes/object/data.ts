import { ANY_ENCODING, arg, defineRoute, READS_A_VALUE } from '../../route';
import { loadNode } from './node';

export const objectData = defineRoute({
  path: 'object/data',
  ...READS_A_VALUE,
  encodings: ANY_ENCODING,
  args: [arg('key')],
  options: {},
  run: async (_service, call) => {
    const { node } = await loadNode(call.args[0] ?? '', call);
    const { Data = new Uint8Array(0) } = node;
    await call.reply.whole(Data.length);
    call.reply.beginBytes();
    call.reply.end(Data);
  },
});
