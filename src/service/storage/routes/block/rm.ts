import { type CID } from 'multiformats/cid';
import { parseCid } from '../../cids';
import { NotFoundError } from '../../dag/blockReader';
import { CommandError, messageOf, RequestError } from '../../errors';
import { bool } from '../../http/options';
import { args, defineRoute } from '../../route';

export const blockRm = defineRoute({
  path: 'block/rm',
  args: [args('cid')],
  options: { force: bool('f'), quiet: bool('q') },
  run: async ({ store, garbage, isOperator }, { args: texts, options, tenant, format, reply }) => {
    if (!isOperator(tenant)) throw new RequestError(403, '403 - Forbidden: only operators may remove blocks');
    const cids: CID[] = texts.map((text) => {
      try {
        return parseCid(text.replace(/^\/ipfs\//, ''));
      } catch (error) {
        throw new CommandError(messageOf(error));
      }
    });
    for (const cid of cids) {
      const Hash = format(cid);
      const held = await garbage.protection(cid);
      if (held !== undefined) {
        await reply.object({ Hash, Error: held === 'indirect' ? 'pinned via another pin' : `pinned: ${held}` });
        continue;
      }
      const removed = await store.delete(cid.multihash.bytes);
      if (!removed && options.force !== true) await reply.object({ Hash, Error: new NotFoundError(cid).message });
      else if (options.quiet !== true) await reply.object({ Hash });
    }
    reply.beginObjects();
    reply.end();
  },
});
