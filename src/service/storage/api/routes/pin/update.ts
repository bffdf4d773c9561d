import { resolveToBlock } from '../../../content/paths';
import { CommandError } from '../../../errors';
import { bool } from '../../options';
import { arg, defineRoute } from '../../route';
import { keepDag } from '../../../content/pin-dag';

export const pinUpdate = defineRoute({
  path: 'pin/update',
  costs: ['path', 'read', 'hash', 'decode', 'walk', 'pin', 'sync', 'value'],
  needs: ['pin'],
  args: [arg('from-path'), arg('to-path')],
  options: { unpin: bool() },
  run: async (service, call) => {
    const { pins } = service;
    const { args, options, tenant, load, format, reply } = call;
    const from = await resolveToBlock(args[0] ?? '', load);
    const to = await resolveToBlock(args[1] ?? '', load);
    if ((await pins.get(tenant, from))?.mode !== 'recursive') {
      throw new CommandError("'from' cid was not recursively pinned already");
    }
    if (!from.equals(to)) {
      if ((await pins.get(tenant, to))?.mode === 'recursive') {
        throw new CommandError("'to' cid was already recursively pinned");
      }
      const size = await keepDag(to, call, service);
      const { pinnedBytes: most } = call;
      const { keyPins: mostPins } = service.limits;
      await pins.move(tenant, from, to, options.unpin ?? true, { size, most, mostPins });
    }
    await reply.value({ Pins: [format(from), format(to)] });
  },
});
