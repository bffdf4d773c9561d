import { rawCid } from '../../blocks/rawCid';
import { RequestError } from '../../errors';
import { bool } from '../../http/options';
import { defineRoute, link } from '../../route';

export const repoGc = defineRoute({
  path: 'repo/gc',
  cids: 'plain',
  args: [],
  options: { 'stream-errors': bool(), quiet: bool('q'), silent: bool() },
  text: ({ Key }: { Key: { '/': string } }, { quiet }) => `${quiet === true ? '' : 'removed '}${Key['/']}\n`,
  run: async ({ garbage, isOperator }, { options, tenant, cancellation, format, reply }) => {
    if (!(await isOperator(tenant)))
      throw new RequestError(403, '403 - Forbidden: only operators may collect garbage (see storage.operators)');
    for await (const key of garbage.collect({ cancellation })) {
      if (options.silent !== true) await reply.object({ Key: link(rawCid(key), format) });
    }
    reply.beginObjects();
    reply.end();
  },
});
