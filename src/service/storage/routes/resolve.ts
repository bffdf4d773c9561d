import { parsePath, resolvePath } from '../dag/paths';
import { bool, int, text } from '../http/options';
import { arg, defineRoute } from '../route';

export const resolve = defineRoute({
  path: 'resolve',
  args: [arg('name')],
  options: { recursive: bool('r'), 'dht-record-count': int('dhtrc'), 'dht-timeout': text('dhtt') },
  text: ({ Path }: { Path: string }) => `${Path}\n`,
  run: async (_service, { args: [name = ''], load, format, reply }) => {
    const { cid, remainder } = await resolvePath(parsePath(name), load);
    reply.value({ Path: ['/ipfs', format(cid), ...remainder].join('/') });
  },
});
