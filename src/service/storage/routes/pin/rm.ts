import { resolveToBlock } from '../../dag/paths';
import { bool } from '../../http/options';
import { args, defineRoute } from '../../route';

export const pinRm = defineRoute({
  path: 'pin/rm',
  args: [args('ipfs-path')],
  options: { recursive: bool('r') },
  text: ({ Pins }: { Pins: string[] }) => Pins.map((cid) => `unpinned ${cid}\n`).join(''),
  run: async ({ pins }, { args: paths, options, tenant, load, format, reply }) => {
    const Pins: string[] = [];
    for (const path of paths) {
      const cid = await resolveToBlock(path, load);
      await pins.remove(tenant, cid, options.recursive ?? true);
      Pins.push(format(cid));
    }
    reply.value({ Pins });
  },
});
