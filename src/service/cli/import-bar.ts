import { Presets, SingleBar } from 'cli-progress';

import type { Progress } from '../archive/import';

const FORMAT = '{bar} {percentage}% | {blocks} blocks | {rate} blocks/s | {eta_formatted} left | {done}/{files} files';

/** Shows how far an import is. On a terminal only: a log is not the place for a bar. */
export type ImportBar = { update(progress: Progress): void; stop(): void };

/**
 * @param stream - The terminal to draw on. Its cursor stays, and its lines wrap as they did: an import that is
 * interrupted or killed would leave it without.
 * @returns The bar.
 */
export function importBar(stream: NodeJS.WriteStream): ImportBar {
  const bar = new SingleBar(
    { format: FORMAT, stream, hideCursor: false, linewrap: true, etaBuffer: 50, fps: 10 },
    Presets.shades_classic,
  );
  const started = performance.now();
  return {
    update({ blocks, bytes, totalBytes, done, files }) {
      const rate = Math.round((blocks / (performance.now() - started)) * 1000);
      const payload = { blocks: blocks.toLocaleString('en'), rate: rate.toLocaleString('en'), done, files };
      if (bar.isActive) bar.update(bytes, payload);
      else bar.start(totalBytes, bytes, payload);
    },
    stop() {
      bar.stop();
    },
  };
}
