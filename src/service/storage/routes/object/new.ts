import { CommandError } from '../../errors';
import { defineRoute } from '../../route';
import { DIRECTORY_DATA } from '../../unixfs/node';
import { storeNode } from './node';

export const objectNew = defineRoute({
  path: 'object/new',
  args: [{ name: 'template', required: false, variadic: false }],
  options: {},
  text: ({ Hash }: { Hash: string }) => `${Hash}\n`,
  run: async (service, call) => {
    const [template] = call.args;
    if (template !== undefined && template !== 'unixfs-dir') {
      throw new CommandError(`template ${JSON.stringify(template)} not found`);
    }
    await storeNode(service, call, { ...(template === undefined ? {} : { Data: DIRECTORY_DATA }), Links: [] });
  },
});
