import { Presets, SingleBar } from 'cli-progress';

import type { Progress } from '../chain/archive/import';

/** The least important values come last: a terminal of 80 columns may cut them off. */
const FORMAT = '{bar} {percentage}% | {done}/{files} files | {eta_formatted} left | {blocks} blocks | {rate} blocks/s';

/** @returns A duration for display; `?` while the bar makes no progress and there is no estimate. */
function timeText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** The progress of a command that reads files. */
export type ProgressBar = { update(progress: Progress): void; stop(): void };

/**
 * Draws on a terminal only; logs get no bar.
 *
 * @param json - Whether a program reads the command's output.
 * @param stream - Where to draw. The cursor stays visible and line wrapping stays on, because an interrupted or killed
 * command could not restore them.
 * @returns The bar; undefined if none is shown.
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
