import { lostOf, putDuringCollections } from '../support/storage/pinned-puts';
import { startBucket } from '../support/storage/s3';
import { noBucket } from '../support/storage/s3-process';
import { startTestService } from '../support/storage/service';

const PUTS = 1000;

/** A busy machine takes minutes. */
const TIME_MS = 3_600_000;

test(
  `${PUTS} puts with pin=true during ${PUTS / 10} collections lose nothing, in files`,
  async () => {
    const service = await startTestService();
    const { acknowledged, collections } = await putDuringCollections([service], PUTS);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(collections).toBeGreaterThanOrEqual(PUTS / 10);
    expect(await lostOf(service, acknowledged)).toEqual([]);
    await service.discard();
  },
  TIME_MS,
);

(noBucket === undefined ? test : test.skip)(
  `${PUTS} puts with pin=true through two services of one bucket during ${PUTS / 10} collections lose nothing${noBucket === undefined ? '' : ` (${noBucket})`}`,
  async () => {
    const bucket = await startBucket();
    const one = await startTestService({ shared: await bucket.open() });
    const two = await startTestService({ shared: await bucket.open() });
    const { acknowledged, collections } = await putDuringCollections([one, two], PUTS);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(collections).toBeGreaterThanOrEqual(PUTS / 10);
    for (const service of [one, two]) expect(await lostOf(service, acknowledged)).toEqual([]);
    await one.discard();
    await two.discard();
  },
  TIME_MS,
);
