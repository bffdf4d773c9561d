/** Consecutive steps. */
export type Sequence = {
  readonly name: string;
  readonly steps: readonly { readonly name: string; readonly ms: number }[];
};

const COLOURS = ['#9aa4b2', '#1b6ef3', '#c9ced6', '#e07a1f'];
const [WIDTH, LABEL, BAR] = [820, 230, 18];

/** One row per step, each starting where the previous one ended, as SVG. */
export function waterfallChart(title: string, unit: string, sequences: readonly Sequence[]): string {
  const most = Math.max(...sequences.map(({ steps }) => steps.reduce((sum, { ms }) => sum + ms, 0)));
  const scale = (WIDTH - LABEL - 70) / most;
  const parts: string[] = [];
  let y = 48;
  for (const { name, steps } of sequences) {
    parts.push(`<text x="12" y="${y - 4}" font-weight="bold">${name}</text>`);
    let at = 0;
    for (const [index, step] of steps.entries()) {
      const [x, width] = [LABEL + at * scale, Math.max(1, step.ms * scale)];
      parts.push(
        `<text x="${LABEL - 8}" y="${y + 13}" text-anchor="end" font-size="10">${step.name}</text>`,
        `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 3}" fill="${COLOURS[index % COLOURS.length] ?? ''}"/>`,
        `<text x="${(x + width + 5).toFixed(1)}" y="${y + 12}">${step.ms.toFixed(2)}</text>`,
      );
      at += step.ms;
      y += BAR;
    }
    y += 26;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/><text x="12" y="22" font-size="15" font-weight="bold">${title} (${unit})</text>${parts.join('')}</svg>\n`;
}
