import { CommandError } from '../../../errors';
import { defineRoute } from '../../route';
import { directoryData, encodePb } from '../../../content/unixfs/node';
import { keepNode } from './node';

const TEMPLATES = new Map<string, { readonly Data?: Uint8Array }>([
  ['empty', {}],
  ['unixfs-dir', { Data: directoryData() }],
]);

export const objectNew = defineRoute({
  path: 'object/new',
  costs: ['hash', 'disk', 'sync', 'value'],
  needs: ['write'],
  cids: 'kept',
  args: [{ name: 'template', required: false, variadic: false }],
  options: {},
  run: async (service, call) => {
    const {
      args: [name = 'empty'],
      format,
      reply,
    } = call;
    const template = TEMPLATES.get(name);
    if (template === undefined) throw new CommandError(`unknown node type: ${name}`);
    const cid = await keepNode(service, call, encodePb({ ...template, Links: [] }));
    await reply.value({ Hash: format(cid) });
  },
});
