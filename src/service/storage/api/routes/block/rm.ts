import { type CID } from 'multiformats/cid';
import { resolveToBlock } from '../../../content/paths';
import { CommandError, GivenUpError, RequestError } from '../../../errors';
import { bool } from '../../options';
import { args, defineRoute } from '../../route';

export const blockRm = defineRoute({
  path: 'block/rm',
  cids: 'plain',
  args: [args('cid')],
  options: { force: bool('f'), quiet: bool('q') },
  run: async ({ garbage, isOperator }, { args: paths, options, tenant, load, cancellation, format, reply }) => {
    if (!(await isOperator(tenant)))
      throw new RequestError(403, '403 - Forbidden: only operators may remove blocks (see storage.operators)');
    const cids: CID[] = [];
    for (const path of paths) cids.push(await resolveToBlock(path, load));
    for (const cid of cids) {
      const Hash = format(cid);
      const failure = await garbage.remove(cid, cancellation).then(
        (wasThere) => (wasThere || options.force === true ? undefined : `ipld: could not find ${Hash}`),
        (error: unknown) => {
          if (!(error instanceof CommandError) || error instanceof GivenUpError) throw error;
          return error.message;
        },
      );
      if (failure !== undefined) await reply.object({ Hash, Error: failure });
      else if (options.quiet !== true) await reply.object({ Hash });
    }
    reply.beginObjects();
    reply.end();
  },
});
