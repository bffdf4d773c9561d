import { type CID } from 'multiformats/cid';
import { resolveToBlock } from '../../dag/paths';
import { RequestError } from '../../errors';
import { bool } from '../../http/options';
import { args, defineRoute } from '../../route';

export const blockRm = defineRoute({
  path: 'block/rm',
  cids: 'plain',
  args: [args('cid')],
  options: { force: bool('f'), quiet: bool('q') },
  run: async ({ store, garbage, isOperator }, { args: paths, options, tenant, load, format, reply }) => {
    if (!isOperator(tenant)) throw new RequestError(403, '403 - Forbidden: only operators may remove blocks');
    const cids: CID[] = [];
    for (const path of paths) cids.push(await resolveToBlock(path, load));
    for (const cid of cids) {
      const Hash = format(cid);
      const held = await garbage.protection(cid);
      if (held !== undefined) {
        await reply.object({ Hash, Error: held === 'indirect' ? 'pinned via another pin' : `pinned: ${held}` });
        continue;
      }
      const removed = await store.delete(cid.multihash.bytes);
      if (!removed && options.force !== true) await reply.object({ Hash, Error: `ipld: could not find ${Hash}` });
      else if (options.quiet !== true) await reply.object({ Hash });
    }
    reply.beginObjects();
    reply.end();
  },
});
