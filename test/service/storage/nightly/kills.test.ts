import { killBesideAnother, killWhileWorking } from '../../../support/storage/kills';
import { startBucket } from '../../../support/storage/s3';
import { noBucket } from '../../../support/storage/s3-process';
import { temporaryDirectory } from '../../../support/storage/service';

/** A busy machine takes its time. */
const TIME_MS = 7_200_000;

/** After 1 to 8 acknowledged adds, so that a process is killed in all its phases. */
const KILLS = Array.from({ length: 200 }, (_, i) => 1 + (i % 8));
const LEAST = KILLS.reduce((sum, after) => sum + after, 0);

/** A list of a bucket takes the longer the more is in it. */
const KILLS_IN_ONE_PREFIX = 20;

/** Says now and then how far it is. */
const onKill = (place: string, before: { kills: number; acknowledged: number }) => (kills: number, more: number) => {
  const all = before.kills + kills;
  if (all % 20 === 0) console.log(`${all} kills ${place}: ${before.acknowledged + more} acknowledged, none lost`);
};

test(
  `${KILLS.length} times kill -9 in adds, pins and collections lose nothing, in files`,
  async () => {
    const acknowledged = await killWhileWorking({
      dataDir: await temporaryDirectory(),
      killAfter: KILLS,
      onKill: onKill('in files', { kills: 0, acknowledged: 0 }),
    });
    expect(acknowledged).toBeGreaterThanOrEqual(LEAST);
  },
  TIME_MS,
);

(noBucket === undefined ? test : test.skip)(
  `${KILLS.length} times kill -9 of one of two processes of a bucket lose nothing${noBucket === undefined ? '' : ` (${noBucket})`}`,
  async () => {
    const bucket = await startBucket();
    let acknowledged = 0;
    for (let kills = 0; kills < KILLS.length; kills += KILLS_IN_ONE_PREFIX) {
      acknowledged += await killBesideAnother(bucket, `kills-${kills}/`, {
        killAfter: KILLS.slice(kills, kills + KILLS_IN_ONE_PREFIX),
        onKill: onKill('in a bucket', { kills, acknowledged }),
      });
    }
    expect(acknowledged).toBeGreaterThanOrEqual(LEAST);
  },
  TIME_MS,
);
