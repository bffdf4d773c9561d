import { type CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { makeCid } from '../../cids';
import { codecNumber } from '../../dag/codecNames';
import { CommandError } from '../../errors';
import { digestOf, hashCode, IDENTITY, MAX_IDENTITY_BYTES, mustBeSafe, SHA2_256 } from '../../hashes';
import { bool, int, type OptionValues, text } from '../../http/options';
import { defineRoute, readWhole } from '../../route';
import { blockLimit, tooBig } from './limit';

const OPTIONS = {
  'cid-codec': text(),
  mhtype: text(),
  mhlen: int(),
  pin: bool(),
  'allow-big-block': bool(),
  format: text('f'),
};

/** Codecs of the old `format` option. */
const FORMATS = new Map([
  ['v0', 'dag-pb'],
  ['protobuf', 'dag-pb'],
  ['cbor', 'dag-cbor'],
  ['raw', 'raw'],
]);

/** How the options say a block becomes a CID. @throws CommandError for unknown or contradicting options. */
function cidMaker(options: OptionValues<typeof OPTIONS>): (bytes: Uint8Array) => CID {
  const { format, mhtype = 'sha2-256', mhlen = -1 } = options;
  if (format !== undefined && options['cid-codec'] !== undefined) {
    throw new CommandError('unable to use "format" (deprecated) and a custom "cid-codec" at the same time');
  }
  const hash = hashCode(mhtype.toLowerCase());
  if (hash === undefined) throw new CommandError(`unrecognized multihash function: ${mhtype}`);
  const asV0 = format === 'v0' || (format === undefined && options['cid-codec'] === undefined && isPlain(options));
  const codecName = asV0 ? 'dag-pb' : (options['cid-codec'] ?? FORMATS.get(format ?? 'raw') ?? format ?? 'raw');
  const codec = codecNumber(codecName);
  if (codec === undefined) throw new CommandError(`unknown multicodec: "${codecName}"`);
  if (format === 'v0' && hash !== SHA2_256) throw new CommandError('cid v0 only supports sha2-256');
  return (bytes) => {
    if (hash === IDENTITY && bytes.length > MAX_IDENTITY_BYTES) {
      throw new CommandError(`identity digests hold at most ${MAX_IDENTITY_BYTES} bytes`);
    }
    const whole = digestOf(hash, bytes);
    if (mhlen === -1 || mhlen === whole.size) return makeCid(asV0 ? 0 : 1, codec, whole);
    if (format === 'v0') throw new CommandError('cid v0 only supports sha2-256');
    if (mhlen > whole.size || mhlen < 0 || hash === IDENTITY) {
      throw new CommandError(`mhlen ${mhlen} is no length of a ${mhtype} digest, which has ${whole.size} bytes`);
    }
    const cut = Digest.create(hash, whole.digest.subarray(0, mhlen));
    mustBeSafe(cut);
    return makeCid(1, codec, cut);
  };
}

/** Without any word about the CID, the hosted service's default counts: version 0. */
const isPlain = ({ mhtype, mhlen }: OptionValues<typeof OPTIONS>): boolean =>
  (mhtype === undefined || mhtype === 'sha2-256') && (mhlen === undefined || mhlen === -1);

export const blockPut = defineRoute({
  path: 'block/put',
  args: [],
  file: 'data',
  options: OPTIONS,
  text: ({ Key }: { Key: string }) => `${Key}\n`,
  run: async ({ store, pins, limits }, { options, parts, session, tenant, format, reply }) => {
    const cidOf = cidMaker(options);
    const limit = blockLimit(limits, options['allow-big-block']);
    for await (const part of parts()) {
      const bytes = await readWhole(part.body, limit, () => tooBig(limit));
      const cid = cidOf(bytes);
      if (cid.multihash.code !== IDENTITY) {
        await session.touch(cid.multihash.bytes);
        await store.put(cid, [bytes]);
        await store.commit();
      }
      if (options.pin === true) await pins.add(tenant, cid, 'recursive');
      await reply.object({ Key: format(cid), Size: bytes.length });
    }
    reply.beginObjects();
    reply.end();
  },
});
