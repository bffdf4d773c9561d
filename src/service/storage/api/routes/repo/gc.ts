import { rawCid } from '../../../content/cids';
import { CommandError, GivenUpError } from '../../../errors';
import { mustBeOperator } from '../../operators';
import { bool } from '../../options';
import { defineRoute, link } from '../../route';

export const repoGc = defineRoute({
  path: 'repo/gc',
  costs: ['cursor', 'read', 'hash', 'decode', 'walk', 'collection', 'sync', 'stream'],
  needs: ['write'],
  cids: 'plain',
  args: [],
  options: { 'stream-errors': bool(), quiet: bool('q'), silent: bool() },
  run: async (service, { options, tenant, walker, cancellation, format, reply }) => {
    await mustBeOperator(service, tenant, 'collect garbage');
    try {
      for await (const key of service.garbage.collect({ cancellation, charge: walker.charge })) {
        if (options.silent !== true) await reply.object({ Key: link(rawCid(key), format) });
      }
    } catch (error) {
      const isTold = error instanceof CommandError && !(error instanceof GivenUpError);
      if (options['stream-errors'] !== true || !isTold) throw error;
      await reply.object({ Key: null, Error: error.message });
      throw new CommandError('encountered errors during gc run');
    }
    reply.endObjects();
  },
});
