import { type ServerResponse } from 'node:http';
import { reset } from '../../admission/reset';

/**
 * Breaks off a response whose body has begun, so that its client sees that this is not everything: chunks end without
 * the last one, and other bodies with a reset.
 */
export function breakOff(response: ServerResponse): void {
  const { socket } = response;
  if (response.chunkedEncoding || socket === null) response.destroy();
  else reset(socket);
}
