const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Bytes for display (option `human`), like Kubo's `humanize.Bytes`: units of 1000, with one decimal below 10. */
export function humanSize(bytes: number): string {
  if (bytes < 10) return `${bytes} B`;
  const unit = Math.min(Math.floor((String(bytes).length - 1) / 3), UNITS.length - 1);
  const tenths = Math.floor((bytes / 1000 ** unit) * 10 + 0.5) / 10;
  return `${tenths < 10 ? tenths.toFixed(1) : roundToEven(tenths)} ${UNITS[unit]}`;
}

/** Rounds to an integer as Go prints it: half to even. */
function roundToEven(value: number): number {
  const down = Math.floor(value);
  if (value - down !== 0.5) return Math.round(value);
  return down % 2 === 0 ? down : down + 1;
}
