import { FLOOR, oneCallFloorOf, OURS } from '../runtime/names';
import { type SnapRequest } from '../runtime/request';

/** Requests that take a second or more are repeated less often than those of a millisecond. */
export const isBig = (method: string): boolean => method.includes('1,000');

/** @returns The requests of one method by snap, including its two floors, which get the same requests. */
export function withFloors(
  method: string,
  requests: Readonly<Record<string, SnapRequest>>,
): Record<string, SnapRequest> {
  const [any] = Object.values(requests);
  const sent = requests[OURS] ?? any;
  return sent === undefined ? {} : { [FLOOR]: sent, [oneCallFloorOf(method)]: sent, ...requests };
}
