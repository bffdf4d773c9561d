import { FLOOR, oneCallFloorOf, OURS } from '../runtime/names';
import { type SnapRequest } from '../runtime/request';

/** Requests of a second and more are not repeated as often as those of a millisecond. */
export const isBig = (method: string): boolean => method.includes('1,000');

/** @returns The requests of one method by snap, and with them those of its two floors: the same that ours gets. */
export function withFloors(
  method: string,
  requests: Readonly<Record<string, SnapRequest>>,
): Record<string, SnapRequest> {
  const [any] = Object.values(requests);
  const sent = requests[OURS] ?? any;
  return sent === undefined ? {} : { [FLOOR]: sent, [oneCallFloorOf(method)]: sent, ...requests };
}
