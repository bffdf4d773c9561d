import { rawCid } from '../../blocks/raw-cid';
import { RequestError } from '../../errors';
import { defineRoute } from '../../route';

export const refsLocal = defineRoute({
  path: 'refs/local',
  args: [],
  options: {},
  text: ({ Ref }: { Ref: string }) => `${Ref}\n`,
  run: async ({ store, isOperator }, { tenant, cancellation, format, reply }) => {
    if (!(await isOperator(tenant)))
      throw new RequestError(403, '403 - Forbidden: only operators may list all blocks (see storage.operators)');
    for await (const key of store.keys()) {
      cancellation.throwIfCancelled();
      await reply.object({ Ref: format(rawCid(key)), Err: '' });
    }
    reply.beginObjects();
    reply.end();
  },
});
