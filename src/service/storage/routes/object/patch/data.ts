import { clientFault } from '../../../errors';
import { bool } from '../../../http/options';
import { arg, defineRoute, readWhole, type Route } from '../../../route';
import { encodePb } from '../../../unixfs/node';
import { keepNode, loadNode } from '../node';

/** A command that replaces a node's data; `combine` computes it from the old data and the uploaded data. */
export const dataPatch = (
  path: string,
  combine: (before: Uint8Array | undefined, given: Uint8Array) => Uint8Array | undefined,
): Route =>
  defineRoute({
    path,
    cids: 'plain',
    args: [arg('root')],
    file: 'data',
    options: { 'allow-big-block': bool() },
    text: ({ Hash }: { Hash: string }) => `${Hash}\n`,
    run: async (service, call) => {
      const {
        args: [root = ''],
        options,
        format,
        reply,
      } = call;
      const limit = service.limits.blockBytes;
      const { cid, node } = await loadNode(root, call);
      const first = await call.parts().next();
      if (first.done === true) throw clientFault("file argument 'data' is required");
      const given = await readWhole(first.value.body, limit, () => clientFault(`the data is over ${limit} bytes`));
      const Data = combine(node.Data, given);
      const bytes = encodePb({ Links: node.Links, ...(Data === undefined ? {} : { Data }) });
      const made = await keepNode(service, call, bytes, { form: cid, allowBig: options['allow-big-block'] });
      await service.store.commit();
      await reply.value({ Hash: format(made) });
    },
  });
