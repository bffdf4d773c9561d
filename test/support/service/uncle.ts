import type { Archive } from '../../../src/service/chain/archive/archive';
import type { UncleBlock } from '../../../src/service/chain/archive/uncle';

/** An archive's uncle, parsed; null if there is none at this position. */
export function uncleOf(
  archive: Archive,
  number: number,
  position: number,
  withTotalDifficulty: boolean,
): UncleBlock | null {
  const json = archive.uncle(number, position, withTotalDifficulty);
  return json === null ? null : (JSON.parse(json) as UncleBlock);
}
