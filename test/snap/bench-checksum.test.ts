import { join } from 'node:path';

import { checksumOf, manifestOf } from '../../bench/runtime/manifest';

it('computes, for the benchmark, the checksum that the build wrote', async () => {
  const dist = join(__dirname, '../../dist');
  expect(await checksumOf(dist, manifestOf(dist))).toBe(manifestOf(dist).source.shasum);
});
