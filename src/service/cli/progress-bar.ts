import { Presets, SingleBar } from 'cli-progress';

/** @returns A duration for display; `?` while the bar makes no progress and there is no estimate. */
function timeText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** The values that a bar shows besides itself, by name. */
type Payload = Readonly<Record<string, string | number>>;

export type ProgressBar = {
  /** Draws the bar, again if it was stopped before. */
  update: (done: number, total: number, payload: Payload) => void;
  /** Ends the line of the bar, so that other output starts on a new one. */
  stop: () => void;
};

/**
 * Draws on a terminal only; logs get no bar.
 *
 * @param json - Whether a program reads the command's output.
 * @param stream - Where to draw. The cursor stays visible and line wrapping stays on, because an interrupted or killed
 * command could not restore them.
 * @param shown - What follows the percentage, with names of the payload in braces. The least important values come
 * last: a terminal of 80 columns may cut them off.
 * @returns The bar; undefined if none is shown.
 */
export function progressBar(json: boolean, stream: NodeJS.WriteStream, shown: string): ProgressBar | undefined {
  if (json || !stream.isTTY) return undefined;
  let isComplete = false;
  const bar = new SingleBar(
    {
      format: `{bar} {percentage}% | ${shown}`,
      stream,
      barsize: 20,
      hideCursor: false,
      linewrap: true,
      etaBuffer: 50,
      fps: 10,
      formatTime: (seconds) => (isComplete ? '0s' : timeText(seconds)),
    },
    Presets.shades_classic,
  );
  return {
    update(done, total, payload) {
      isComplete = done === total;
      if (bar.isActive) bar.update(done, payload);
      else bar.start(total, done, payload);
    },
    stop() {
      bar.stop();
    },
  };
}
