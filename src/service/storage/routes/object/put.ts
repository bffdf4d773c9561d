import { clientFault, CommandError, messageOf } from '../../errors';
import { bool, text } from '../../http/options';
import { defineRoute, readWhole } from '../../route';
import { decodePb, encodePb } from '../../unixfs/node';
import { readJsonNode } from './jsonNode';
import { keepNode } from './node';

/** Makes the bytes of a node of what was sent, by how that is encoded. */
const READERS: Partial<Record<string, (sent: Buffer, dataEncoding: string) => Uint8Array>> = {
  json: (sent, dataEncoding) => encodePb(readJsonNode(sent, dataEncoding)),
  // As it came: another order of its fields would be another CID.
  protobuf: (sent) => {
    try {
      decodePb(sent);
    } catch (error) {
      throw new CommandError(`incorrectly formatted merkledag node: ${messageOf(error)}`);
    }
    return sent;
  },
};

export const objectPut = defineRoute({
  path: 'object/put',
  args: [],
  file: 'data',
  options: { inputenc: text(), datafieldenc: text(), pin: bool(), quiet: bool('q') },
  text: ({ Hash }: { Hash: string }, { quiet }) => `${quiet === true ? '' : 'added '}${Hash}\n`,
  run: async (service, call) => {
    const { options, parts, tenant, format, reply } = call;
    const read = READERS[options.inputenc ?? 'json'];
    if (read === undefined) throw new CommandError('unknown object encoding');
    const limit = service.limits.blockBytes * 2;
    const first = await parts().next();
    if (first.done === true) throw clientFault("file argument 'data' is required");
    const sent = await readWhole(first.value.body, limit, () => clientFault(`the object is over ${limit} bytes`));
    const cid = await keepNode(service, call, read(sent, options.datafieldenc ?? 'text'), { allowBig: true });
    await service.store.commit();
    if (options.pin === true) await service.pins.add(tenant, cid, 'recursive');
    reply.value({ Hash: format(cid) });
  },
});
