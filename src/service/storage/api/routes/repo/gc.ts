import { rawCid } from '../../../content/cids';
import { CommandError, GivenUpError, RequestError } from '../../../errors';
import { HoleError } from '../../../content/garbage';
import { bool } from '../../options';
import { defineRoute, link } from '../../route';

/** A removed block; or, with `stream-errors`, why nothing or nothing more was removed. */
type Result = { readonly Key: { readonly '/': string } } | { readonly Key: null; readonly Error: string };

/** The error as objects of the stream; undefined for an error that ends the response. */
function resultsOf(error: unknown): Result[] | undefined {
  if (!(error instanceof CommandError) || error instanceof GivenUpError) return undefined;
  const reasons = error instanceof HoleError ? error.reasons : [error.message];
  return reasons.map((reason) => ({ Key: null, Error: reason }));
}

export const repoGc = defineRoute({
  path: 'repo/gc',
  cids: 'plain',
  args: [],
  options: { 'stream-errors': bool(), quiet: bool('q'), silent: bool() },
  run: async ({ garbage, isOperator }, { options, tenant, cancellation, format, reply }) => {
    if (!(await isOperator(tenant)))
      throw new RequestError(403, '403 - Forbidden: only operators may collect garbage (see storage.operators)');
    try {
      for await (const key of garbage.collect({ cancellation })) {
        if (options.silent !== true) await reply.object({ Key: link(rawCid(key), format) });
      }
    } catch (error) {
      const results = options['stream-errors'] === true ? resultsOf(error) : undefined;
      if (results === undefined) throw error;
      for (const result of results) await reply.object(result);
      throw new CommandError('encountered errors during gc run');
    }
    reply.beginObjects();
    reply.end();
  },
});
