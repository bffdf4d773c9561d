import { carHeader, recordHead } from '../../../content/car';
import { resolveToBlock } from '../../../content/paths';
import { Visited } from '../../../content/visited';
import { allLinks, walk } from '../../../content/walk';
import { bool } from '../../options';
import { ANY_ENCODING, arg, defineRoute } from '../../route';

export const dagExport = defineRoute({
  path: 'dag/export',
  costs: ['path', 'read', 'hash', 'decode', 'walk', 'stream'],
  needs: ['read'],
  encodings: ANY_ENCODING,
  args: [arg('root')],
  options: { progress: bool('p') },
  run: async (_service, { args: [path = ''], load, walker, reply }) => {
    const root = await resolveToBlock(path, load);
    for await (const { step, bytes } of walk({ cid: root }, allLinks, walker, {
      visited: new Visited(walker.charge.memory),
    })) {
      if (!reply.started) {
        reply.beginBytes();
        await reply.write(carHeader([root]));
      }
      await reply.write(recordHead(step.cid, bytes.length), bytes);
    }
    reply.end();
  },
});
