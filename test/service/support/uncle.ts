import type { Archive } from '../../../src/service/chain/archive/archive';
import type { UncleBlock } from '../../../src/service/chain/archive/uncle';

/** The uncle that an archive answers with, parsed; null if it has none there. */
export function uncleOf(
  archive: Archive,
  number: number,
  position: number,
  withTotalDifficulty: boolean,
): UncleBlock | null {
  const json = archive.uncle(number, position, withTotalDifficulty);
  return json === null ? null : (JSON.parse(json) as UncleBlock);
}
