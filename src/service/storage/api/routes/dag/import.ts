import { CID } from 'multiformats/cid';
import { readCar } from '../../../content/car';
import { CommandError, ErrorCode, GivenUpError, messageOf, RequestError } from '../../../errors';
import { digestOf, IDENTITY, matches, mustBeSafe } from '../../../store/hashes';
import { bool } from '../../options';
import { type Call, defineRoute, link, type ReceivedPart } from '../../route';
import { CID_BYTES } from '../../../content/room';
import { type StorageService } from '../../service';
import { blockLimit, tooBig } from '../block/limit';
import { PinError, pinDag } from '../../../content/pin-dag';

type Totals = { blocks: number; bytes: number; readonly roots: Map<string, CID> };

/** @throws Error if the bytes do not match the CID, or the CID's hash is too weak. */
function check(cid: CID, bytes: Uint8Array): void {
  mustBeSafe(cid.multihash);
  if (matches(cid.multihash, bytes)) return;
  const actual = digestOf(cid.multihash.code, bytes);
  const got = cid.version === 0 ? CID.createV0(actual as never) : CID.createV1(cid.code, actual);
  throw new CommandError(`mismatch in content integrity, expected: ${cid.toString()}, got: ${got.toString()}`);
}

/** The fault of a block that could be read. */
class BlockFault extends CommandError {
  constructor(
    readonly cid: CID,
    cause: CommandError,
  ) {
    super(cause.message, cause.code);
  }
}

/** Stores the blocks of one CAR file; none counts before the caller commits. */
async function importCar(
  part: ReceivedPart,
  { limits }: StorageService,
  {
    session,
    walker,
    options,
  }: Pick<Call<{ 'allow-big-block': boolean | undefined }>, 'session' | 'walker' | 'options'>,
  totals: Totals,
): Promise<void> {
  const limit = blockLimit(limits, options['allow-big-block']);
  // A fault in the header is reported as it is.
  const { roots, blocks } = await readCar(part.body, {
    blockBytes: limit,
    blocks: limits.carBlocks - totals.blocks,
    tooBig: (cid) => new BlockFault(cid, tooBig(limit)),
    room: part.room,
    pace: part.pace,
  });
  let last: CID | undefined;
  try {
    for (const root of roots) {
      mustBeSafe(root.multihash);
      walker.room.take(CID_BYTES);
      totals.roots.set(root.toString(), root);
    }
    for await (const { cid, bytes } of blocks) {
      check(cid, bytes);
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
    const place =
      error instanceof BlockFault ? ` at block "${error.cid.toString()}"` : last && ` after block "${last.toString()}"`;
    throw new CommandError(`import failed${place ?? ''}: ${messageOf(error)}`, code);
  }
}

export const dagImport = defineRoute({
  path: 'dag/import',
  cids: 'plain',
  args: [],
  file: 'path',
  options: { 'pin-roots': bool(), stats: bool(), silent: bool(), 'allow-big-block': bool() },
  run: async (service, call) => {
    const { options, parts, format, reply } = call;
    const { store } = service;
    const pinRoots = options['pin-roots'] ?? true;
    const totals: Totals = { blocks: 0, bytes: 0, roots: new Map() };
    for await (const part of parts()) await importCar(part, service, call, totals);
    await store.commit();
    for (const root of pinRoots ? totals.roots.values() : []) {
      let PinErrorMsg = '';
      try {
        if (root.multihash.code !== IDENTITY && !(await store.has(root.multihash.bytes))) {
          throw new CommandError(`ipld: could not find ${root.toString()}`);
        }
        // A root is pinned only once everything below it exists locally.
        await pinDag(root, call, service);
      } catch (error) {
        if (!(error instanceof CommandError) || error instanceof GivenUpError) throw error;
        PinErrorMsg = error instanceof PinError ? error.reason : error.message;
      }
      await reply.object({ Root: { Cid: link(root, format), PinErrorMsg } });
    }
    reply.beginObjects();
    if (options.stats === true) {
      await reply.object({ Stats: { BlockCount: totals.blocks, BlockBytesCount: totals.bytes } });
    }
    reply.end();
  },
});
