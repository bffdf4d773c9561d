import { killWhileWorking } from '../../../support/storage/kills';
import { noBucket, startBucket } from '../../../support/storage/s3';
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

(noBucket === undefined ? test : test.skip)(
  `${KILLS.length} times kill -9 in adds, pins and collections lose nothing, in a bucket${noBucket === undefined ? '' : ` (${noBucket})`}`,
  async () => {
    const bucket = await startBucket();
    const acknowledged = await killWhileWorking({
      dataDir: await temporaryDirectory(),
      bucket: bucket.options,
      killAfter: KILLS,
      // So that collections remove what is not pinned, and a killed one is soon known to be dead.
      afterKill: () => {
        bucket.age('');
      },
    });
    expect(acknowledged).toBeGreaterThanOrEqual(KILLS.reduce((sum, after) => sum + after, 0));
  },
  TIME_MS,
);
