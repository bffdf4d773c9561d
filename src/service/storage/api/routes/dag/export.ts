import { recordHead } from '../../../content/car';
import { carHeader } from '../../../content/car';
import { resolveToBlock } from '../../../content/paths';
import { walkDag, WalkError, walkLimits } from '../../../content/walk';
import { CommandError } from '../../../errors';
import { bool } from '../../options';
import { ANY_ENCODING, arg, defineRoute } from '../../route';

const OFFLINE = '(currently offline, perhaps retry after attaching to the network)';

/** Kubo's message for a missing block found while exporting. */
function describe(error: WalkError): CommandError {
  if (error.path === '') return error;
  return new CommandError(
    `error traversing node at "${error.path}": could not load link "${error.cid.toString()}": ${error.message} ${OFFLINE}`,
  );
}

export const dagExport = defineRoute({
  path: 'dag/export',
  encodings: ANY_ENCODING,
  args: [arg('root')],
  options: { progress: bool('p') },
  run: async ({ limits }, { args: [path = ''], load, reply }) => {
    const root = await resolveToBlock(path, load);
    const bounds = walkLimits(limits);
    try {
      for await (const { cid, bytes } of walkDag(root, load, bounds)) {
        if (!reply.started) {
          reply.beginBytes();
          await reply.write(carHeader([root]));
        }
        await reply.write(recordHead(cid, bytes.length));
        await reply.write(bytes);
      }
    } catch (error) {
      throw error instanceof WalkError ? describe(error) : error;
    }
    reply.end();
  },
});
