import { type CID } from 'multiformats/cid';
import { resolveToBlock } from '../../../content/paths';
import { CommandError, GivenUpError } from '../../../errors';
import { mustBeOperator } from '../../operators';
import { bool } from '../../options';
import { args, defineRoute } from '../../route';

export const blockRm = defineRoute({
  path: 'block/rm',
  costs: ['arguments', 'path', 'read', 'hash', 'cursor', 'walk', 'collection', 'sync', 'stream'],
  needs: ['write'],
  cids: 'plain',
  args: [args('cid')],
  options: { force: bool('f'), quiet: bool('q') },
  run: async (service, { args: paths, options, tenant, load, walker, cancellation, format, reply }) => {
    await mustBeOperator(service, tenant, 'remove blocks');
    const cids: CID[] = [];
    for (const path of paths) cids.push(await resolveToBlock(path, load));
    for (const cid of cids) {
      const Hash = format(cid);
      const failure = await service.garbage.remove(cid, walker.charge, cancellation).then(
        (wasThere) => (wasThere || options.force === true ? undefined : `ipld: could not find ${Hash}`),
        (error: unknown) => {
          if (!(error instanceof CommandError) || error instanceof GivenUpError) throw error;
          return error.message;
        },
      );
      if (failure !== undefined) await reply.object({ Hash, Error: failure });
      else if (options.quiet !== true) await reply.object({ Hash });
    }
    reply.endObjects();
  },
});
