import { type Options } from '../options';
import { barChart, type Group } from '../report/chart';
import { type Report, type Table } from '../report/report';
import { shown, spread, summary, type Summary } from '../report/statistics';
import { findChromium, type SnapBrowser, startBrowser } from '../runtime/chromium';
import { measureInNode } from '../runtime/node';
import { type SnapRequest } from '../runtime/request';
import { bundleSize, FLOOR, FLOOR_ONE_CALL, managersOf, OURS, snapFolders } from '../runtime/systems';
import { firstOf, requestsOf } from './snap-requests';

/** Requests of a second and more are not repeated as often as those of a millisecond. */
const isBig = (method: string): boolean => method.includes('1,000');

type Start = { readonly boot: number[]; readonly firstSignature: number[]; heap: number };

/** From the start of the executor to the first answer, and from a restart to the first signature; a fresh page each. */
async function measureStarts(browser: SnapBrowser, folders: Readonly<Record<string, string>>, rounds: number) {
  const names = Object.keys(folders);
  const starts: Record<string, Start> = {};
  const states: Record<string, { state: unknown; request: SnapRequest } | undefined> = {};
  for (const name of names) {
    const wallet = await browser.open();
    await wallet.install(name);
    const { 'personal_sign, imported key': request } = await requestsOf(name, wallet, managersOf(folders[name] ?? ''));
    if (request !== undefined && !name.startsWith(FLOOR)) states[name] = { state: await wallet.state(name), request };
    await wallet.close();
    starts[name] = { boot: [], firstSignature: [], heap: 0 };
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const start = starts[name];
      if (start === undefined) continue;
      const wallet = await browser.open();
      start.boot.push(await wallet.install(name, { first: firstOf(name) }));
      start.heap = await wallet.heap();
      await wallet.close();
      const stored = states[name];
      if (stored === undefined) continue;
      const again = await browser.open();
      start.firstSignature.push(await again.install(name, { state: stored.state, first: stored.request }));
      await again.close();
    }
  }
  return starts;
}

/** @returns Milliseconds a request, by method and snap: all snaps run at once, and answer in turn. */
async function measureWarm(browser: SnapBrowser, folders: Readonly<Record<string, string>>, rounds: number) {
  const wallet = await browser.open();
  const byMethod: Record<string, Record<string, SnapRequest>> = {};
  for (const [name, folder] of Object.entries(folders)) {
    await wallet.install(name);
    if (name.startsWith(FLOOR)) continue;
    for (const [method, request] of Object.entries(await requestsOf(name, wallet, managersOf(folder))))
      (byMethod[method] ??= {})[name] = request;
  }
  const times: Record<string, Record<string, Summary>> = {};
  const calls: Record<string, Record<string, number>> = {};
  for (const [method, requests] of Object.entries(byMethod)) {
    const sent = requests[OURS] ?? Object.values(requests)[0];
    if (sent === undefined) continue;
    const all = { [FLOOR]: sent, [FLOOR_ONE_CALL]: sent, ...requests };
    const [count, batch] = isBig(method) ? [Math.ceil(rounds / 3), 1] : [rounds, 5];
    const measured = await wallet.alternate(all, count, batch);
    times[method] = Object.fromEntries(Object.entries(measured).map(([name, values]) => [name, summary(values)]));
    if (requests[OURS] !== undefined) calls[method] = await wallet.count(OURS, requests[OURS]);
  }
  await wallet.close();
  return { times, calls };
}

const cell = (values: readonly number[]): string => (values.length === 0 ? '–' : spread(summary(values)));

const latencyTable = (
  title: string,
  names: readonly string[],
  times: Readonly<Record<string, Readonly<Record<string, Summary>>>>,
): Table => ({
  title,
  columns: ['Request', ...names, `${OURS} / ${FLOOR}`],
  rows: Object.entries(times).map(([method, by]) => {
    const [mine, floor] = [by[OURS], by[FLOOR]];
    return [
      method,
      ...names.map((name) => (by[name] === undefined ? '–' : spread(by[name]))),
      mine === undefined || floor === undefined ? '–' : (mine.median / floor.median).toFixed(2),
    ];
  }),
});

const latencyGroups = (times: Readonly<Record<string, Readonly<Record<string, Summary>>>>): Group[] =>
  Object.entries(times).map(([name, by]) => ({
    name,
    values: Object.fromEntries(Object.entries(by).map(([system, { median }]) => [system, median])),
  }));

/** Built snaps side by side in the same runtime: in Chromium, and in Node. */
export async function benchSnaps({ others, alone, quick }: Options): Promise<Report | undefined> {
  const folders = await snapFolders(others, alone);
  const names = Object.keys(folders);
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: no Chromium on this machine (apt-get install chromium, or name one in CHROMIUM)');
    return undefined;
  }
  const browser = await startBrowser(chromium, folders);
  try {
    const starts = await measureStarts(browser, folders, quick ? 2 : 9);
    const { times, calls } = await measureWarm(browser, folders, quick ? 5 : 40);
    const node = measureInNode(folders, quick ? 5 : 30);
    const sizes = Object.fromEntries(names.map((name) => [name, bundleSize(folders[name] ?? '')]));
    const floorBoot = summary(starts[FLOOR]?.boot ?? []).median;
    const startTable: Table = {
      title: `Size, start and memory, Chromium ${browser.version}`,
      columns: [
        'Snap',
        'bundle, bytes',
        'gzip, bytes',
        'boot to first answer, ms',
        `/ ${FLOOR}`,
        'restart to first signature, ms',
        'JS heap, MB',
        'peak memory of the process, MB (Node)',
      ],
      rows: names.map((name) => {
        const start = starts[name] ?? { boot: [], firstSignature: [], heap: 0 };
        return [
          name,
          (sizes[name]?.raw ?? 0).toLocaleString('en'),
          (sizes[name]?.gzip ?? 0).toLocaleString('en'),
          cell(start.boot),
          (summary(start.boot).median / floorBoot).toFixed(2),
          cell(start.firstSignature),
          (start.heap / 1e6).toFixed(1),
          node.memory[name] === undefined ? '–' : shown(node.memory[name] / 1024),
        ];
      }),
    };
    const tables = [
      startTable,
      latencyTable(`Warm latency, ms, Chromium ${browser.version}`, names, times),
      ...(node.times === undefined ? [] : [latencyTable(`Warm latency, ms, Node ${node.version}`, names, node.times)]),
    ];
    return {
      tables,
      charts: {
        'snap-boot': barChart(
          'Boot to first answer',
          'ms',
          names.map((name) => ({ name, values: { ms: summary(starts[name]?.boot ?? []).median } })),
        ),
        'snap-latency': barChart('Warm latency in Chromium', 'ms, logarithmic', latencyGroups(times), 'log'),
      },
      data: { chromium: browser.version, sizes, starts, times, calls, node },
      notes: [
        `Medians, and in brackets between which values the middle eight tenths lie. "${FLOOR}" answers every request with an empty list; "${FLOOR_ONE_CALL}" first asks the wallet for one entry of its state. Imported keys lie in the state that the wallet keeps; own keys come from the wallet's entropy with each request, and the wallet's derivation is part of the time.`,
        ...(node.note === undefined ? [] : [node.note]),
      ],
    };
  } finally {
    await browser.close();
  }
}
