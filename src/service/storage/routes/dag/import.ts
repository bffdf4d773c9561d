import { CID } from 'multiformats/cid';
import { readCar } from '../../dag/car';
import { CommandError, ErrorCode, messageOf, RequestError } from '../../errors';
import { digestOf, IDENTITY, matches, mustBeSafe } from '../../hashes';
import { bool } from '../../http/options';
import { type Part } from '../../http/multipart';
import { type Call, defineRoute, link } from '../../route';
import { type StorageService } from '../../service';
import { blockLimit, tooBig } from '../block/limit';
import { keepWholeDag } from '../pin/complete';

type Totals = { blocks: number; bytes: number; readonly roots: Map<string, CID> };

/** @throws Error when the bytes are not what the CID says, or the CID says too little about them. */
function check(cid: CID, bytes: Uint8Array): void {
  mustBeSafe(cid.multihash);
  if (matches(cid.multihash, bytes)) return;
  const actual = digestOf(cid.multihash.code, bytes);
  const got = cid.version === 0 ? CID.createV0(actual as never) : CID.createV1(cid.code, actual);
  throw new CommandError(`mismatch in content integrity, expected: ${cid.toString()}, got: ${got.toString()}`);
}

/** Stores the blocks of one CAR file; none of them counts before the caller commits. */
async function importCar(
  part: Part,
  { store, limits }: StorageService,
  { session, options }: Pick<Call<{ 'allow-big-block': boolean | undefined }>, 'session' | 'options'>,
  totals: Totals,
): Promise<void> {
  const limit = blockLimit(limits, options['allow-big-block']);
  let last: CID | undefined;
  try {
    const { roots, blocks } = await readCar(part.body, {
      blockBytes: limit,
      blocks: limits.carBlocks - totals.blocks,
      tooBig: () => tooBig(limit),
    });
    for (const root of roots) {
      mustBeSafe(root.multihash);
      totals.roots.set(root.toString(), root);
    }
    for await (const { cid, bytes } of blocks) {
      check(cid, bytes);
      last = cid;
      totals.blocks++;
      totals.bytes += bytes.length;
      if (cid.multihash.code === IDENTITY) continue;
      await session.touch(cid.multihash.bytes);
      await store.put(cid, [bytes]);
    }
  } catch (error) {
    if (error instanceof RequestError) throw error;
    const code = error instanceof CommandError ? error.code : ErrorCode.Normal;
    if (error instanceof CommandError && error.message.startsWith('multipart:')) throw error;
    const where = last === undefined ? 'import failed' : `import failed after block ${JSON.stringify(last.toString())}`;
    throw new CommandError(`${where}: ${messageOf(error)}`, code);
  }
}

export const dagImport = defineRoute({
  path: 'dag/import',
  args: [],
  file: 'path',
  options: { 'pin-roots': bool(), stats: bool(), silent: bool(), 'allow-big-block': bool() },
  run: async (service, call) => {
    const { options, parts, tenant, format, reply } = call;
    const { store, pins, limits } = service;
    const pinRoots = options['pin-roots'] ?? true;
    const totals: Totals = { blocks: 0, bytes: 0, roots: new Map() };
    for await (const part of parts()) await importCar(part, service, call, totals);
    await store.commit();
    for (const root of pinRoots ? totals.roots.values() : []) {
      let PinErrorMsg = '';
      try {
        // A pin is only taken when everything below it is here.
        for await (const step of keepWholeDag(root, call, limits)) void step;
        await pins.add(tenant, root, 'recursive');
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        PinErrorMsg = error.message;
      }
      if (options.silent !== true) await reply.object({ Root: { Cid: link(root, format), PinErrorMsg } });
    }
    reply.beginObjects();
    if (options.stats === true && options.silent !== true) {
      await reply.object({ Stats: { BlockCount: totals.blocks, BlockBytesCount: totals.bytes } });
    }
    reply.end();
  },
});
