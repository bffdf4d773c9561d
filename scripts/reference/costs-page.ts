import { COSTS, type Cost, type CostName, OF_EVERY_REQUEST } from '../../src/service/costs';
import { METHOD_COSTS, ROUTE_COSTS } from '../../src/service/chain/costs';
import { parseConfig } from '../../src/service/cli/config';
import { ROUTES } from '../../src/service/storage/api/routes';
import { GATEWAY_COSTS } from '../../src/service/storage/gateway/costs';

/** A route, and what a request to it can cost; undefined if nobody has said. */
export type CostedRoute = readonly [route: string, costs: readonly CostName[] | undefined];

/** Every route of every listener that clients reach. */
export const COSTED_ROUTES: readonly CostedRoute[] = [
  ...METHOD_COSTS,
  ...ROUTE_COSTS,
  ...[...ROUTES.values()].map(({ path, costs }) => [`/api/v0/${path}`, costs] as const),
  ...Object.entries(GATEWAY_COSTS).map(([format, costs]) => [`/ipfs, format=${format}`, costs] as const),
];

const UNITS = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
] as const;

/** The default of a setting, which may be none. */
function defaultOf(setting: string): string {
  const config = parseConfig({ storage: { gateway: {} } });
  const value = setting
    .split('.')
    .reduce<unknown>((section, name) => (section as Record<string, unknown> | undefined)?.[name], config);
  if (typeof value !== 'number') throw new Error(`${setting} is no setting with a number`);
  if (value === Number.MAX_SAFE_INTEGER) return 'none';
  const [size, unit] = UNITS.find(([bytes]) => value % bytes === 0) ?? [1, ''];
  return `${(value / size).toLocaleString('en-US')} ${unit}`.trim();
}

/** Settings with their defaults; those of one section follow its name. */
function settingsOf(limits: readonly string[]): string {
  const bySection = new Map<string, string[]>();
  for (const setting of limits) {
    const at = setting.lastIndexOf('.');
    const section = setting.slice(0, at);
    const named = `${setting.slice(at + 1)} ${defaultOf(setting)}`;
    bySection.set(section, [...(bySection.get(section) ?? []), named]);
  }
  return [...bySection].map(([section, named]) => `\`${section}\`: ${named.join(', ')}`).join('; ');
}

const ofCost = ([name, { what, share, limits }]: readonly [string, Cost]): string =>
  `| ${name} | ${what} | ${share} | ${settingsOf(limits)} |`.replace('|  |', '| |');

/** What every JSON-RPC method can cost. */
const OF_EVERY_METHOD = METHOD_COSTS.map(([, costs = []]) => costs).reduce((common, costs) =>
  common.filter((cost) => costs.includes(cost)),
);

/** Routes with the same costs share a line, without those that `common` has. */
function linesOfRoutes(routes: readonly CostedRoute[], common: readonly CostName[] = []): string[] {
  const together = new Map<string, string[]>();
  for (const [route, costs = []] of routes) {
    const text = costs.filter((cost) => !common.includes(cost)).join(', ') || 'nothing more';
    together.set(text, [...(together.get(text) ?? []), `\`${route.replace('/api/v0/', '')}\``]);
  }
  return [...together].map(([costs, names]) => `- ${costs}: ${names.join(', ')}`);
}

/** The page of docs/reference/costs.md. */
export const costsPage = (): string => `# What clients can cost

Written by \`npm run reference\` from the code. Everything that a client can make the services hold or do is counted in one room
(\`src/service/admission\`, [why](../decisions/0023-one-admission-room.md)): this is the list, with the share that it is charged to and the
settings that limit it with their defaults. \`src/service/costs.ts\` names the test that attacks each; a route without a line fails the tests.

## Costs

| Name | What | Share | Limits |
| --- | --- | --- | --- |
${Object.entries<Cost>(COSTS).map(ofCost).join('\n')}

## Routes

Every request can cost ${OF_EVERY_REQUEST.join(', ')}. A JSON-RPC method can also cost ${OF_EVERY_METHOD.join(', ')}, and besides:

${linesOfRoutes(METHOD_COSTS, OF_EVERY_METHOD).join('\n')}

Other routes, and commands of the storage service, can also cost:

${linesOfRoutes(COSTED_ROUTES.slice(METHOD_COSTS.length)).join('\n')}

Liveness, readiness and metrics are on a listener of their own that clients do not reach ([monitoring](../monitoring.md#health-and-metrics)).
`;
