import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

import { Gauge, type Registry } from 'prom-client';

/**
 * Adds the size of the disk of the data directory to the metrics, and what is left of it.
 *
 * @param registry - Where the metrics are registered.
 * @param dataDir - The data directory; without one, there is nothing to measure.
 */
export function meterDisk(registry: Registry, dataDir: string): void {
  const gauge = (name: string, help: string, bytesOf: (disk: StatsFs) => number) =>
    new Gauge({
      name: `keystead_disk_${name}`,
      help,
      registers: [registry],
      async collect() {
        const disk = await statfs(dataDir).catch(() => undefined);
        this.set(disk === undefined ? NaN : bytesOf(disk));
      },
    });
  gauge('size_bytes', 'Size of the disk of the data directory.', ({ blocks, bsize }) => blocks * bsize);
  gauge('available_bytes', 'What is left of that disk.', ({ bavail, bsize }) => bavail * bsize);
}
