import { killWhileWorking } from '../../../support/storage/kills';
import { temporaryDirectory } from '../../../support/storage/service';

/** A busy machine takes minutes. */
const TIME_MS = 3_600_000;

/** After 1 to 8 acknowledged adds, so that a process is killed in all its phases. */
const KILLS = Array.from({ length: 200 }, (_, i) => 1 + (i % 8));

test(
  `${KILLS.length} times kill -9 in adds, pins and collections lose nothing, in files`,
  async () => {
    const acknowledged = await killWhileWorking({ dataDir: await temporaryDirectory(), killAfter: KILLS });
    expect(acknowledged).toBeGreaterThanOrEqual(KILLS.reduce((sum, after) => sum + after, 0));
  },
  TIME_MS,
);
