import { resolveToBlock } from '../../../content/paths';
import { bool } from '../../options';
import { arg, defineRoute } from '../../route';
import { DAG_PB, RAW } from '../../../content/unixfs/file-builder';
import { decodePb } from '../../../content/unixfs/node';

type ObjectStat = {
  readonly NumLinks: number;
  readonly BlockSize: number;
  readonly LinksSize: number;
  readonly DataSize: number;
  readonly CumulativeSize: number;
};

/** The sizes of a block, in bytes. Kubo reports them for dag-pb and raw blocks only. */
function sizesOf(code: number, bytes: Uint8Array): ObjectStat {
  if (code !== DAG_PB) {
    const size = code === RAW ? bytes.length : 0;
    return { NumLinks: 0, BlockSize: 0, LinksSize: 0, DataSize: size, CumulativeSize: size };
  }
  const { Data, Links } = decodePb(bytes);
  const DataSize = Data?.length ?? 0;
  return {
    NumLinks: Links.length,
    BlockSize: bytes.length,
    // As in Kubo: everything but the data.
    LinksSize: bytes.length - DataSize,
    DataSize,
    CumulativeSize: Links.reduce((sum, { Tsize = 0 }) => sum + Tsize, bytes.length),
  };
}

export const objectStat = defineRoute({
  path: 'object/stat',
  costs: ['path', 'read', 'hash', 'decode', 'walk', 'value'],
  needs: ['read'],
  cids: 'kept',
  args: [arg('key')],
  options: { human: bool() },
  run: async (_service, { args: [path = ''], load, format, reply }) => {
    const cid = await resolveToBlock(path, load);
    await reply.value({ Hash: format(cid), ...sizesOf(cid.code, await load(cid)) });
  },
});
