import { type CID } from 'multiformats/cid';
import { type Charge } from '../../../../admission/charge';
import * as Digest from 'multiformats/hashes/digest';
import { makeCid } from '../../../content/cids';
import { codecNumber } from '../../../content/codec-names';
import { linksOf } from '../../../content/codecs';
import { CommandError } from '../../../errors';
import { digestOf, hashCode, IDENTITY, mustBeSafe, SHA2_256 } from '../../../store/hashes';
import { bool, int, type OptionValues, text } from '../../options';
import { defineRoute, readWhole } from '../../route';
import { pinDag } from '../../../content/pin-dag';
import { blockLimit, tooBig } from './limit';

const OPTIONS = {
  'cid-codec': text(),
  mhtype: text(),
  mhlen: int(),
  pin: bool(),
  'allow-big-block': bool(),
  format: text('f'),
};

/** Codecs of the deprecated `format` option. */
const FORMATS = new Map([
  ['v0', 'dag-pb'],
  ['protobuf', 'dag-pb'],
  ['cbor', 'dag-cbor'],
  ['raw', 'raw'],
]);

/** How the options turn a block into a CID. @throws CommandError for unknown or contradictory options. */
function cidMaker(options: OptionValues<typeof OPTIONS>): (bytes: Uint8Array, charge: Charge) => Promise<CID> {
  const { mhtype = 'sha2-256', mhlen = -1 } = options;
  // An empty value counts as absent.
  const format = options.format === '' ? undefined : options.format;
  const cidCodec = options['cid-codec'] === '' ? undefined : options['cid-codec'];
  const hash = hashCode(mhtype);
  if (hash === undefined) throw new CommandError(`unrecognized multihash function: ${mhtype}`);
  if (format !== undefined && cidCodec !== undefined && cidCodec !== 'raw') {
    throw new CommandError('unable to use "format" (deprecated) and a custom "cid-codec" at the same time');
  }
  const asV0 = format === 'v0' || (format === undefined && cidCodec === undefined && isPlain(options));
  const codecName = asV0 ? 'dag-pb' : (FORMATS.get(format ?? '') ?? format ?? cidCodec ?? 'raw');
  const codec = codecNumber(codecName);
  if (codec === undefined) throw new CommandError(`unknown multicodec: "${codecName}"`);
  if (format === 'v0' && (hash !== SHA2_256 || (mhlen !== -1 && mhlen !== 32))) {
    throw new CommandError('CIDv0 needs mhtype=sha2-256 and mhlen=32');
  }
  return async (bytes, charge) => {
    const whole = await digestOf(hash, bytes, charge);
    mustBeSafe(whole);
    if (mhlen < 0 || mhlen === whole.size || hash === IDENTITY) return makeCid(asV0 ? 0 : 1, codec, whole);
    if (mhlen > whole.size) throw new CommandError('requested length was too large for digest');
    const cut = Digest.create(hash, whole.digest.subarray(0, mhlen));
    mustBeSafe(cut);
    return makeCid(1, codec, cut);
  };
}

/** Without any CID options, the hosted service's default applies: version 0. */
const isPlain = ({ mhtype, mhlen }: OptionValues<typeof OPTIONS>): boolean =>
  (mhtype === undefined || mhtype === 'sha2-256') && (mhlen === undefined || mhlen === -1);

/** Whether the links of a block can be read. The bytes of a block are not checked, so they may be none of its codec. */
function isNode(cid: CID, bytes: Uint8Array): boolean {
  try {
    linksOf(cid, bytes);
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

export const blockPut = defineRoute({
  path: 'block/put',
  costs: ['upload', 'multipart', 'part', 'blocks', 'hash', 'decode', 'disk', 'sync', 'walk', 'pin', 'stream'],
  needs: ({ pin }) => (pin === true ? ['write', 'pin'] : ['write']),
  cids: 'plain',
  args: [],
  file: 'data',
  options: OPTIONS,
  run: async (service, call) => {
    const { store, limits } = service;
    const { options, parts, session, format, reply } = call;
    const cidOf = cidMaker(options);
    const limit = blockLimit(limits, options['allow-big-block']);
    for await (const part of parts()) {
      const bytes = await readWhole(part, limit, () => tooBig(limit));
      const cid = await cidOf(bytes, part.charge);
      if (cid.multihash.code !== IDENTITY) {
        await session.put(cid.multihash.bytes, bytes);
        await store.commit();
      }
      // Of a block without readable links, a recursive pin could promise nothing more than a direct one.
      if (options.pin === true) {
        await pinDag(cid, call, service, { mode: isNode(cid, bytes) ? 'recursive' : 'direct' });
      }
      await reply.object({ Key: format(cid), Size: bytes.length });
    }
    reply.endObjects();
  },
});
