import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { RequestError } from '../../errors';
import { defineRoute } from '../../route';
import { RAW } from '../../unixfs/fileBuilder';

export const refsLocal = defineRoute({
  path: 'refs/local',
  args: [],
  options: {},
  text: ({ Ref }: { Ref: string }) => `${Ref}\n`,
  run: async ({ store, isOperator }, { tenant, cancellation, format, reply }) => {
    if (!isOperator(tenant)) throw new RequestError(403, '403 - Forbidden: only operators may list all blocks');
    for await (const key of store.keys()) {
      cancellation.throwIfCancelled();
      await reply.object({ Ref: format(CID.createV1(RAW, Digest.decode(key))), Err: '' });
    }
    reply.beginObjects();
    reply.end();
  },
});
