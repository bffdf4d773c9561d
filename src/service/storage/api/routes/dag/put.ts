import { makeCid } from '../../../content/cids';
import { decodeInput, encodeValue } from '../../../content/codecs';
import { CommandError } from '../../../errors';
import { digestOf, hashCode, IDENTITY, MAX_IDENTITY_BYTES } from '../../../store/hashes';
import { bool, text } from '../../options';
import { defineRoute, link, readWhole } from '../../route';
import { blockLimit, tooBig } from '../block/limit';
import { pinDag } from '../../../content/pin-dag';

export const dagPut = defineRoute({
  path: 'dag/put',
  costs: ['upload', 'multipart', 'part', 'decode', 'blocks', 'hash', 'disk', 'sync', 'walk', 'pin', 'stream'],
  needs: ({ pin }) => (pin === true ? ['write', 'pin'] : ['write']),
  cids: 'plain',
  args: [],
  file: 'object data',
  options: {
    'store-codec': text(),
    'input-codec': text(),
    pin: bool(),
    hash: text(),
    'allow-big-block': bool(),
  },
  run: async (service, call) => {
    const { store, limits } = service;
    const { options, parts, session, format, reply } = call;
    const hashName = options.hash ?? 'sha2-256';
    const hash = hashCode(hashName.toLowerCase());
    if (hash === undefined) throw new CommandError(`unknown multicodec: ${JSON.stringify(hashName)}`);
    const limit = blockLimit(limits, options['allow-big-block']);
    for await (const part of parts()) {
      // The input may be a longer encoding of the same node.
      const input = await readWhole(part, 4 * limit, () => tooBig(limit));
      const value = decodeInput(options['input-codec'] ?? 'dag-json', input);
      const { code, bytes } = encodeValue(options['store-codec'] ?? 'dag-cbor', value);
      if (bytes.length > (hash === IDENTITY ? MAX_IDENTITY_BYTES : limit)) throw tooBig(limit);
      const cid = makeCid(1, code, await digestOf(hash, bytes, part.charge));
      if (hash !== IDENTITY) {
        await session.put(cid.multihash.bytes, bytes);
        await store.commit();
      }
      if (options.pin === true) await pinDag(cid, call, service);
      await reply.object({ Cid: link(cid, format) });
    }
    reply.endObjects();
  },
});
