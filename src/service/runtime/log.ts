import { pino, type Logger } from 'pino';

import type { CommonConfig } from './config';

/** Limit for lines waiting to be written, in bytes; further lines are dropped. */
const BACKLOG_BYTES = 1 << 20;

/**
 * Creates the log: JSON lines, each written before the call returns. It never throws. If writing fails (a full disk),
 * lines are held until it works again, and requests are still answered.
 *
 * @param level - Lowest level that is written.
 * @param fd - File descriptor to write to.
 * @returns The log.
 */
export function createLog(level: CommonConfig['log']['level'], fd: number): Logger {
  const destination = pino.destination({ dest: fd, sync: true, maxLength: BACKLOG_BYTES });
  // There is nowhere to report the error. Without a listener it would be thrown at the code that logs.
  destination.on('error', () => undefined);
  return pino({ level, base: null }, destination);
}
