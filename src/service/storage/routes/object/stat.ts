import { bool } from '../../http/options';
import { arg, defineRoute } from '../../route';
import { textTable } from '../textTable';
import { loadNode } from './node';

export const objectStat = defineRoute({
  path: 'object/stat',
  args: [arg('key')],
  options: { human: bool() },
  text: (stat: Record<string, number | string>) =>
    textTable(Object.entries(stat).flatMap(([name, value]) => (name === 'Hash' ? [] : [[`${name}:`, String(value)]]))),
  run: async (_service, call) => {
    const { cid, node, bytes } = await loadNode(call.args[0] ?? '', call);
    const DataSize = node.Data?.length ?? 0;
    call.reply.value({
      Hash: call.format(cid),
      NumLinks: node.Links.length,
      BlockSize: bytes.length,
      // As Kubo computes it: everything but the data.
      LinksSize: bytes.length - DataSize,
      DataSize,
      CumulativeSize: node.Links.reduce((sum, { Tsize = 0 }) => sum + Tsize, bytes.length),
    });
  },
});
