import { type CID } from 'multiformats/cid';
import { type Charge } from '../../../../admission/charge';
import { readCar } from '../../../content/car';
import { makeCid } from '../../../content/cids';
import { CommandError, ErrorCode, GivenUpError, messageOf, RequestError } from '../../../errors';
import { digestOf, IDENTITY, matches, mustBeSafe } from '../../../store/hashes';
import { bool } from '../../options';
import { type Call, defineRoute, link, type ReceivedPart } from '../../route';
import { CID_BYTES } from '../../../content/weights';
import { type StorageService } from '../../service';
import { blockLimit, tooBig } from '../block/limit';
import { pinDag } from '../../../content/pin-dag';

type ImportCall = Pick<Call<{ 'allow-big-block': boolean | undefined }>, 'session' | 'walker' | 'options'>;
type Totals = { blocks: number; bytes: number; readonly roots: Map<string, CID> };

/** @throws Error if the bytes do not match the CID, or the CID's hash is too weak. */
async function check(cid: CID, bytes: Uint8Array, charge: Charge): Promise<void> {
  mustBeSafe(cid.multihash);
  if (await matches(cid.multihash, bytes, charge)) return;
  const actual = await digestOf(cid.multihash.code, bytes, charge);
  const got = makeCid(cid.version, cid.code, actual);
  throw new CommandError(`mismatch in content integrity, expected: ${cid.toString()}, got: ${got.toString()}`);
}

/** Stores the blocks of one CAR file; none counts before the caller commits. */
async function importCar(
  part: ReceivedPart,
  { limits }: StorageService,
  { session, walker, options }: ImportCall,
  totals: Totals,
): Promise<void> {
  const limit = blockLimit(limits, options['allow-big-block']);
  // A fault in the header is reported as it is.
  const { roots, blocks } = await readCar(part.body, {
    blockBytes: limit,
    blocks: limits.carBlocks - totals.blocks,
    tooBig: () => tooBig(limit),
    charge: part.charge,
  });
  let last: CID | undefined;
  try {
    for (const root of roots) {
      mustBeSafe(root.multihash);
      walker.charge.memory.charge(CID_BYTES);
      totals.roots.set(root.toString(), root);
    }
    for await (const { cid, bytes } of blocks) {
      await check(cid, bytes, part.charge);
      last = cid;
      totals.blocks++;
      totals.bytes += bytes.length;
      if (cid.multihash.code === IDENTITY) continue;
      await session.put(cid.multihash.bytes, bytes);
    }
  } catch (error) {
    if (error instanceof RequestError || error instanceof GivenUpError) throw error;
    const code = error instanceof CommandError ? error.code : ErrorCode.Normal;
    if (error instanceof CommandError && error.message.startsWith('multipart:')) throw error;
    const place = last === undefined ? '' : ` after block "${last.toString()}"`;
    throw new CommandError(`import failed${place}: ${messageOf(error)}`, code);
  }
}

export const dagImport = defineRoute({
  path: 'dag/import',
  costs: [
    'upload',
    'multipart',
    'part',
    'carRecord',
    'blocks',
    'hash',
    'decode',
    'disk',
    'sync',
    'walk',
    'pin',
    'stream',
  ],
  needs: ({ 'pin-roots': pin }) => ((pin ?? true) ? ['write', 'pin'] : ['write']),
  cids: 'plain',
  args: [],
  file: 'path',
  options: { 'pin-roots': bool(), stats: bool(), silent: bool(), 'allow-big-block': bool() },
  run: async (service, call) => {
    const { options, parts, format, reply } = call;
    const { store } = service;
    const totals: Totals = { blocks: 0, bytes: 0, roots: new Map() };
    for await (const part of parts()) await importCar(part, service, call, totals);
    await store.commit();
    for (const root of (options['pin-roots'] ?? true) ? totals.roots.values() : []) {
      let PinErrorMsg = '';
      try {
        // A root is pinned only once everything below it exists locally.
        await pinDag(root, call, service);
      } catch (error) {
        if (!(error instanceof CommandError) || error instanceof GivenUpError) throw error;
        PinErrorMsg = error.message;
      }
      await reply.object({ Root: { Cid: link(root, format), PinErrorMsg } });
    }
    if (options.stats === true) {
      await reply.object({ Stats: { BlockCount: totals.blocks, BlockBytesCount: totals.bytes } });
    }
    reply.endObjects();
  },
});
