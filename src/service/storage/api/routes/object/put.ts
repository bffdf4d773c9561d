import { clientFault, CommandError, messageOf } from '../../../errors';
import { bool, text } from '../../options';
import { defineRoute, readWhole } from '../../route';
import { decodePb, encodePb } from '../../../content/unixfs/node';
import { readJsonNode } from './json-node';
import { pinDag } from '../../../content/pin-dag';
import { keepNode } from './node';

/** The uploaded bytes unchanged: reordering their fields would change the CID. */
function unchanged(sent: Buffer): Buffer {
  try {
    decodePb(sent);
  } catch (error) {
    throw new CommandError(`incorrectly formatted merkledag node: ${messageOf(error)}`);
  }
  return sent;
}

/** Converts the upload to a node's bytes, by its encoding. */
const READERS = new Map<string, (sent: Buffer, dataEncoding: string) => Uint8Array>([
  ['json', (sent, dataEncoding) => encodePb(readJsonNode(sent, dataEncoding))],
  ['protobuf', unchanged],
]);

export const objectPut = defineRoute({
  path: 'object/put',
  costs: ['upload', 'multipart', 'part', 'decode', 'hash', 'disk', 'sync', 'walk', 'pin', 'value'],
  needs: ({ pin }) => (pin === true ? ['write', 'pin'] : ['write']),
  cids: 'kept',
  args: [],
  file: 'data',
  options: { inputenc: text(), datafieldenc: text(), pin: bool(), quiet: bool('q') },
  run: async (service, call) => {
    const { options, parts, format, reply } = call;
    const read = READERS.get(options.inputenc ?? 'json');
    if (read === undefined) throw new CommandError('unknown object encoding');
    const limit = service.limits.blockBytes * 2;
    const first = await parts().next();
    if (first.done === true) throw clientFault("file argument 'data' is required");
    const sent = await readWhole(first.value, limit, () => clientFault(`the object is over ${limit} bytes`));
    const cid = await keepNode(service, call, read(sent, options.datafieldenc ?? 'text'));
    if (options.pin === true) await pinDag(cid, call, service);
    await reply.value({ Hash: format(cid) });
  },
});
