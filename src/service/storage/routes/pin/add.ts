import { type CID } from 'multiformats/cid';
import { resolveToBlock } from '../../dag/paths';
import { CommandError } from '../../errors';
import { bool, text } from '../../http/options';
import { args, defineRoute } from '../../route';
import { keepWholeDag } from './complete';

/** Blocks between two progress objects. */
const PROGRESS_EVERY = 1000;

export const pinAdd = defineRoute({
  path: 'pin/add',
  args: [args('ipfs-path')],
  options: { recursive: bool('r'), name: text('n'), progress: bool() },
  text: ({ Pins }: { Pins?: string[] }, { recursive = true }) =>
    (Pins ?? []).map((cid) => `pinned ${cid} ${recursive ? 'recursively' : 'directly'}\n`).join(''),
  run: async (service, call) => {
    const { pins, store } = service;
    const { args: paths, options, tenant, load, session, format, reply } = call;
    const recursive = options.recursive ?? true;
    const pinned: string[] = [];
    let blocks = 0;
    for (const path of paths) {
      const cid: CID = await resolveToBlock(path, load);
      try {
        if (recursive) {
          for await (const step of keepWholeDag(cid, call, service)) {
            void step;
            if (++blocks % PROGRESS_EVERY === 0 && options.progress === true) await reply.object({ Progress: blocks });
          }
        } else {
          await session.touch(cid.multihash.bytes);
          await load(cid);
          await store.commit();
        }
        await pins.add(tenant, cid, recursive ? 'recursive' : 'direct', options.name);
        pinned.push(format(cid));
      } catch (error) {
        throw error instanceof CommandError ? new CommandError(`pin: ${error.message}`, error.code) : error;
      }
    }
    if (options.progress !== true) {
      reply.value({ Pins: pinned });
      return;
    }
    if (blocks > 0) await reply.object({ Progress: blocks });
    await reply.object({ Pins: pinned });
    reply.end();
  },
});
