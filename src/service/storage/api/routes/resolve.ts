import { cidFormatLike } from '../../content/cids';
import { canonicalPath, parsePath, resolvePath } from '../../content/paths';
import { bool, int, text } from '../options';
import { arg, defineRoute, READS_A_VALUE } from '../route';

export const resolve = defineRoute({
  path: 'resolve',
  ...READS_A_VALUE,
  args: [arg('name')],
  options: { recursive: bool('r'), 'dht-record-count': int('dhtrc'), 'dht-timeout': text('dhtt') },
  run: async (_service, { args: [name = ''], load, format, hasBase, reply }) => {
    const path = parsePath(name);
    const { cid, remainder } = await resolvePath(path, load);
    const write = hasBase ? format : cidFormatLike(canonicalPath(name));
    await reply.value({ Path: [path.inNodes ? '/ipld' : '/ipfs', write(cid), ...remainder].join('/') });
  },
});
