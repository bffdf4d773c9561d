import { join } from 'node:path';

import { checksumOf, manifestOf } from '../../../bench/snap/manifest';

it('the benchmark computes the same checksum as the build', async () => {
  const dist = join(__dirname, '../../../dist');
  expect(await checksumOf(dist, manifestOf(dist))).toBe(manifestOf(dist).source.shasum);
});
