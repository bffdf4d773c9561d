import { FLOOR, FLOOR_ONE_CALL, OURS } from '../runtime/names';
import { type SnapRequest } from '../runtime/request';

/** Requests of a second and more are not repeated as often as those of a millisecond. */
export const isBig = (method: string): boolean => method.includes('1,000');

/** @returns The requests of one method by snap, and with them those of the empty snaps: the same that ours gets. */
export function withFloors(requests: Readonly<Record<string, SnapRequest>>): Record<string, SnapRequest> {
  const [any] = Object.values(requests);
  const sent = requests[OURS] ?? any;
  return sent === undefined ? {} : { [FLOOR]: sent, [FLOOR_ONE_CALL]: sent, ...requests };
}
