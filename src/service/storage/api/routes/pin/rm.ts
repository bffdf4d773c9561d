import { resolveToBlock } from '../../../content/paths';
import { ownerFor } from '../../operators';
import { bool, text } from '../../options';
import { args, defineRoute } from '../../route';

export const pinRm = defineRoute({
  path: 'pin/rm',
  costs: ['arguments', 'path', 'read', 'hash', 'decode', 'pin', 'sync', 'value'],
  needs: ['pin'],
  args: [args('ipfs-path')],
  options: { recursive: bool('r'), tenant: text() },
  run: async (service, call) => {
    const { args: paths, options, load, format, reply } = call;
    const tenant = await ownerFor(service, call, options.tenant);
    const Pins: string[] = [];
    for (const path of paths) {
      const cid = await resolveToBlock(path, load);
      await service.pins.remove(tenant, cid, options.recursive ?? true);
      Pins.push(format(cid));
    }
    await reply.value({ Pins });
  },
});
