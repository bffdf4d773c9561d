import { keyText } from '../../blocks/block-index';
import { parsePath, resolvePath } from '../../dag/paths';
import { walkDag, WalkError, walkLimits } from '../../dag/walk';
import { CommandError } from '../../errors';
import { bool } from '../../http/options';
import { args, defineRoute } from '../../route';

type DagStat = { Cid: string; Size: number; NumBlocks: number };

/** The shortest number equal to `value` in single precision, which Kubo computes with. */
function singlePrecision(value: number): number {
  const single = Math.fround(value);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short;
  }
  return Number(single.toPrecision(9));
}

type Summary = {
  readonly UniqueBlocks?: number;
  readonly TotalSize: number;
  readonly SharedSize?: number;
  readonly Ratio?: number;
  readonly DagStats: readonly DagStat[];
};

/** Every DAG with its blocks and bytes, and their totals. */
function asText({ UniqueBlocks = 0, TotalSize, SharedSize = 0, Ratio = 0, DagStats }: Summary): string {
  const width = DagStats[0]?.Cid.length ?? 0;
  return [
    '',
    `${'CID'.padEnd(width)}\t${'Blocks'.padEnd(15)}\tSize`,
    ...DagStats.map(({ Cid, NumBlocks, Size }) => `${Cid}\t${String(NumBlocks).padEnd(15)}\t${Size}`),
    '',
    'Summary',
    `Total Size: ${TotalSize}`,
    `Unique Blocks: ${UniqueBlocks}`,
    `Shared Size: ${SharedSize}`,
    `Ratio: ${Ratio.toFixed(6)}`,
    '\n\n',
  ].join('\n');
}

export const dagStat = defineRoute({
  path: 'dag/stat',
  cids: 'plain',
  args: [args('root')],
  options: { progress: bool('p') },
  text: asText,
  run: async ({ limits }, { args: paths, options, load, format, reply }) => {
    const bounds = walkLimits(limits);
    const unique = new Set<string>();
    const DagStats: DagStat[] = [];
    let TotalSize = 0;
    let withRepeats = 0;
    for (const path of paths) {
      const stat: DagStat = { Cid: '', Size: 0, NumBlocks: 0 };
      const { cid: root, remainder } = await resolvePath(parsePath(path), load);
      if (remainder.length > 0) {
        throw new CommandError('cannot return size for anything other than a DAG with a root CID');
      }
      stat.Cid = format(root);
      DagStats.push(stat);
      try {
        for await (const { cid, bytes } of walkDag(root, load, bounds)) {
          stat.Size += bytes.length;
          stat.NumBlocks++;
          withRepeats += bytes.length;
          if (!unique.has(keyText(cid.multihash.bytes))) TotalSize += bytes.length;
          unique.add(keyText(cid.multihash.bytes));
          if (options.progress ?? true) await reply.object({ TotalSize, DagStats });
        }
      } catch (error) {
        // A root that is missing is not traversed.
        throw error instanceof WalkError && error.path !== ''
          ? new CommandError(`error traversing DAG: ${error.message}`)
          : error;
      }
    }
    await reply.object({
      UniqueBlocks: unique.size,
      TotalSize,
      ...(withRepeats > TotalSize ? { SharedSize: withRepeats - TotalSize } : {}),
      Ratio: TotalSize === 0 ? 0 : singlePrecision(withRepeats / TotalSize),
      DagStats,
    });
    reply.end();
  },
});
