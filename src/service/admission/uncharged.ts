import type { Charge } from './charge';
import { Share } from './share';

/** For an operator's own work on the command line, where nobody else waits, and for what the service does by itself. */
export const uncharged = (): Charge => ({
  memory: new Share(),
  yield: () => undefined,
  reading: () => undefined,
});
