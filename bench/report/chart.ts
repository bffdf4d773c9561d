/** One row of bars: a name, and a value for each series. */
export type Group = { readonly name: string; readonly values: Readonly<Record<string, number>> };

const COLOURS = ['#1b6ef3', '#9aa4b2', '#e07a1f', '#2f9e6e', '#a3479b', '#c2413b', '#7a6b4f', '#3b9fb5'];
const [WIDTH, LABEL, BAR, GAP] = [820, 250, 15, 14];

const escaped = (text: string): string => text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;');
const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

/**
 * A bar chart as SVG.
 *
 * @param unit - Of all values; a missing value has no bar.
 * @param scale - `log` for values that are far apart.
 */
export function barChart(
  title: string,
  unit: string,
  groups: readonly Group[],
  scale: 'linear' | 'log' = 'linear',
): string {
  const series = [...new Set(groups.flatMap(({ values }) => Object.keys(values)))];
  const all = groups.flatMap(({ values }) => Object.values(values)).filter((value) => value > 0);
  const [most, least] = [Math.max(...all), Math.min(...all) / 2];
  const room = WIDTH - LABEL - 90;
  const width = (value: number): number =>
    Math.max(1, scale === 'log' ? (room * Math.log(value / least)) / Math.log(most / least) : (room * value) / most);
  const parts: string[] = [];
  let y = 40;
  for (const [index, name] of series.entries()) {
    const x = LABEL + (index % 3) * 185;
    parts.push(
      `<rect x="${x}" y="${y}" width="11" height="11" fill="${COLOURS[index % COLOURS.length] ?? ''}"/><text x="${x + 16}" y="${y + 10}">${escaped(name)}</text>`,
    );
    if (index % 3 === 2 || index === series.length - 1) y += 18;
  }
  y += 8;
  for (const { name, values } of groups) {
    const here = series.filter((key) => values[key] !== undefined);
    parts.push(
      `<text x="${LABEL - 8}" y="${y + (here.length * BAR) / 2 + 4}" text-anchor="end">${escaped(name)}</text>`,
    );
    for (const key of here) {
      const value = values[key] ?? 0;
      const colour = COLOURS[series.indexOf(key) % COLOURS.length] ?? '';
      parts.push(
        `<rect x="${LABEL}" y="${y}" width="${width(value).toFixed(1)}" height="${BAR - 3}" fill="${colour}"/><text x="${(LABEL + width(value) + 5).toFixed(1)}" y="${y + 10}">${number(value)}</text>`,
      );
      y += BAR;
    }
    y += GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/><text x="12" y="22" font-size="15" font-weight="bold">${escaped(title)} (${escaped(unit)})</text>${parts.join('')}</svg>\n`;
}
