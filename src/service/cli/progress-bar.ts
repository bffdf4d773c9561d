import { Presets, SingleBar } from 'cli-progress';

import type { Progress } from '../chain/archive/import';

/** What a terminal of 80 columns may cut is at the end. */
const FORMAT = '{bar} {percentage}% | {done}/{files} files | {eta_formatted} left | {blocks} blocks | {rate} blocks/s';

/** @returns Seconds as a person reads them. Of a bar that stands still they are no number. */
function timeText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** Shows how far a command over files is. */
export type ProgressBar = { update(progress: Progress): void; stop(): void };

/**
 * On a terminal only: a log is not the place for a bar.
 *
 * @param json - Whether a program reads the command's output.
 * @param stream - Where to draw. A terminal's cursor stays, and its lines wrap as they did: a command that is interrupted
 * or killed would leave it without.
 * @returns The bar; undefined where there is to be none.
 */
export function progressBar(json: boolean, stream: NodeJS.WriteStream): ProgressBar | undefined {
  if (json || !stream.isTTY) return undefined;
  let isRead = false;
  const bar = new SingleBar(
    {
      format: FORMAT,
      stream,
      barsize: 20,
      hideCursor: false,
      linewrap: true,
      etaBuffer: 50,
      fps: 10,
      formatTime: (seconds) => (isRead ? '0s' : timeText(seconds)),
    },
    Presets.shades_classic,
  );
  const started = performance.now();
  return {
    update({ blocks, bytes, totalBytes, done, files }) {
      isRead = bytes === totalBytes;
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
