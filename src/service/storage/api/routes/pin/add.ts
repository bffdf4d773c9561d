import { resolveToBlock } from '../../../content/paths';
import { bool, text } from '../../options';
import { args, defineRoute } from '../../route';
import { pinDag } from '../../../content/pin-dag';

/** Blocks between two progress objects. */
const PROGRESS_EVERY = 1000;

export const pinAdd = defineRoute({
  path: 'pin/add',
  costs: ['arguments', 'path', 'read', 'hash', 'decode', 'walk', 'pin', 'sync', 'value', 'stream'],
  needs: ['pin'],
  args: [args('ipfs-path')],
  options: { recursive: bool('r'), name: text('n'), progress: bool() },
  run: async (service, call) => {
    const { args: paths, options, load, format, reply } = call;
    const mode = (options.recursive ?? true) ? 'recursive' : 'direct';
    const pinned: string[] = [];
    let blocks = 0;
    const onBlock = async () => {
      if (++blocks % PROGRESS_EVERY === 0 && options.progress === true) await reply.object({ Progress: blocks });
    };
    for (const path of paths) {
      const cid = await resolveToBlock(path, load);
      await pinDag(cid, call, service, { mode, name: options.name, onBlock });
      pinned.push(format(cid));
    }
    if (options.progress !== true) {
      await reply.value({ Pins: pinned });
      return;
    }
    if (blocks > 0) await reply.object({ Progress: blocks });
    await reply.object({ Pins: pinned });
    reply.end();
  },
});
