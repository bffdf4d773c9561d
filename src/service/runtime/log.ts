import { pino, type Logger } from 'pino';

import type { CommonConfig } from './config';

/** Bytes of lines that wait to be written; what comes on top of them is lost. */
const BACKLOG_BYTES = 1 << 20;

/**
 * Makes the log: JSON lines, each written before the call returns. It never throws: where nothing can be written (a full
 * disk), what waits goes out once that is over, and requests are answered meanwhile.
 *
 * @param level - From which level on lines are written.
 * @param fd - File descriptor to write to.
 * @returns The log.
 */
export function createLog(level: CommonConfig['log']['level'], fd: number): Logger {
  const destination = pino.destination({ dest: fd, sync: true, maxLength: BACKLOG_BYTES });
  // Nobody is left to tell. Without a listener the error would be thrown at whoever logs.
  destination.on('error', () => undefined);
  return pino({ level, base: null }, destination);
}
