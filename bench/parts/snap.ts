import { type Options } from '../options';
import { step } from '../progress';
import { barChart } from '../report/chart';
import { type Report } from '../report/report';
import { summaries, summary, type Summary } from '../report/statistics';
import { findChromium, type SnapBrowser, startBrowser, type Stored } from '../runtime/chromium';
import { bundleSize, dialectOf } from '../runtime/manifest';
import { FLOOR, FLOOR_ONE_CALL, OURS } from '../runtime/names';
import { measureInNode } from '../runtime/node';
import { type SnapRequest } from '../runtime/request';
import { snapFolders } from '../runtime/systems';
import { refusalNotes, requestsOf } from './asking';
import { reasonOf } from './conversation';
import { firstOf } from './snap-requests';
import { latencyGroups, latencyTable, sharesOf, sharesTable, type Start, startTable, type Times } from './snap-tables';
import { isBig, withFloors } from './warm';

/** What signs first after a restart: the first of these that a snap answers. */
const FIRST_SIGNATURES = [
  'personal_sign, imported key',
  'personal_sign, own key',
  'eth_signUserOperation, imported key',
];

/** What is measured: built snaps in one browser. */
type Field = {
  readonly browser: SnapBrowser;
  readonly folders: Readonly<Record<string, string>>;
  /** The names of those that were given by hand: nobody knows what they do. */
  readonly given: readonly string[];
};

/** A snap that runs, and what is needed to have it sign again after a restart. */
type Tried = {
  readonly signing?: { readonly stored: Stored; readonly request: SnapRequest };
  readonly refused: Readonly<Record<string, string>>;
};

/** Starts each snap once and finds out what it answers. @returns Of those that run; and why the others do not. */
async function tryAll({ browser, folders, given }: Field) {
  const running: Record<string, Tried> = {};
  const failed: Record<string, string> = {};
  for (const [at, [name, folder]] of Object.entries(folders).entries()) {
    step(`what ${name} answers`, [at, Object.keys(folders).length]);
    const wallet = await browser.open();
    try {
      await wallet.install(name, { first: firstOf(name), hasProvider: given.includes(name) });
      if (name === FLOOR || name === FLOOR_ONE_CALL) running[name] = { refused: {} };
      else {
        const { requests, refused } = await requestsOf(name, wallet, dialectOf(folder));
        const request = FIRST_SIGNATURES.map((method) => requests[method]).find((each) => each !== undefined);
        running[name] = {
          refused,
          ...(request !== undefined && { signing: { stored: await wallet.state(name), request } }),
        };
      }
    } catch (error) {
      if (name === OURS) throw error;
      failed[name] = reasonOf(error);
    } finally {
      await wallet.close();
    }
  }
  return { running, failed };
}

/** From the start of the executor to the first answer, and from a restart to the first signature; a fresh page each. */
async function measureStarts({ browser, given }: Field, tried: Readonly<Record<string, Tried>>, rounds: number) {
  const starts: Record<string, Start> = {};
  for (const name of Object.keys(tried)) starts[name] = { boot: [], firstSignature: [], heap: 0 };
  for (let round = 0; round < rounds; round++) {
    step('rounds of starts', [round, rounds]);
    for (const [name, { signing }] of Object.entries(tried)) {
      const start = starts[name];
      if (start === undefined) continue;
      const hasProvider = given.includes(name);
      const wallet = await browser.open();
      start.boot.push(await wallet.install(name, { first: firstOf(name), hasProvider }));
      start.heap = await wallet.heap();
      await wallet.close();
      if (signing === undefined) continue;
      const again = await browser.open();
      start.firstSignature.push(await again.install(name, { ...signing.stored, first: signing.request, hasProvider }));
      await again.close();
    }
  }
  return starts;
}

/** @returns Milliseconds a request, by method and snap: all snaps run at once, and answer in turn. */
async function measureWarm({ browser, folders, given }: Field, rounds: number) {
  const wallet = await browser.open();
  const byMethod: Record<string, Record<string, SnapRequest>> = {};
  for (const [name, folder] of Object.entries(folders)) {
    await wallet.install(name, { hasProvider: given.includes(name) });
    if (name === FLOOR || name === FLOOR_ONE_CALL) continue;
    const { requests } = await requestsOf(name, wallet, dialectOf(folder));
    for (const [method, request] of Object.entries(requests)) (byMethod[method] ??= {})[name] = request;
  }
  const times: Record<string, Record<string, Summary>> = {};
  const calls: Record<string, Record<string, number>> = {};
  const stopped: Record<string, Record<string, string>> = {};
  for (const [at, [method, requests]] of Object.entries(byMethod).entries()) {
    step(method, [at, Object.keys(byMethod).length]);
    const [count, batch] = isBig(method) ? [Math.ceil(rounds / 3), 1] : [rounds, 5];
    const measured = await wallet.alternate(withFloors(requests), count, batch);
    times[method] = summaries(measured.times);
    for (const [name, reason] of Object.entries(measured.failed)) (stopped[name] ??= {})[method] = reasonOf(reason);
    if (requests[OURS] !== undefined) calls[method] = await wallet.count(OURS, requests[OURS]);
  }
  await wallet.close();
  return { times, calls, stopped };
}

/** Built snaps side by side in the same runtime: in Chromium, and in Node. */
export async function benchSnaps({ given, alone, quick }: Options): Promise<Report | undefined> {
  const all = await snapFolders(given.folders, alone);
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: no Chromium on this machine (apt-get install chromium, or name one in CHROMIUM)');
    return undefined;
  }
  const browser = await startBrowser(chromium, all);
  try {
    const byHand = Object.keys(given.folders);
    const { running, failed } = await tryAll({ browser, folders: all, given: byHand });
    const folders = Object.fromEntries(Object.entries(all).filter(([name]) => running[name] !== undefined));
    const field: Field = { browser, folders, given: byHand };
    const names = Object.keys(folders);
    const starts = await measureStarts(field, running, quick ? 2 : 9);
    const { times, calls, stopped } = await measureWarm(field, quick ? 5 : 40);
    const node = measureInNode(folders, byHand, quick ? 5 : 30);
    const sizes = Object.fromEntries(names.map((name) => [name, bundleSize(folders[name] ?? '')]));
    const compared = byHand.filter((name) => running[name] !== undefined);
    const shares = sharesOf(compared, sizes, times);
    const refused = Object.fromEntries(Object.entries(running).map(([name, tried]) => [name, tried.refused]));
    const latencyTables: [string, Times][] = [
      [`Chromium ${browser.version}`, times],
      ...(node.times === undefined ? [] : [[`Node ${node.version}`, node.times] as [string, Times]]),
    ];
    return {
      tables: [
        startTable(`Size, start and memory, Chromium ${browser.version}`, names, { sizes, starts, node }),
        ...latencyTables.map(([where, by]) => latencyTable(`Warm latency, ms, ${where}`, names, by)),
        ...(compared.length === 0 ? [] : [sharesTable(`Chromium ${browser.version}`, compared, shares)]),
      ],
      charts: {
        'snap-boot': barChart(
          'Boot to first answer',
          'ms',
          names.map((name) => ({ name, values: { ms: summary(starts[name]?.boot ?? []).median } })),
        ),
        'snap-latency': barChart('Warm latency in Chromium', 'ms, logarithmic', latencyGroups(times), 'log'),
      },
      data: { chromium: browser.version, sizes, starts, times, calls, node, shares, refused, failed, stopped },
      notes: [
        `Medians, and in brackets between which values the middle eight tenths lie. "${FLOOR}" answers every request with an empty list; "${FLOOR_ONE_CALL}" first asks the wallet for one entry of its state. Imported keys lie in the state that the wallet keeps; own keys come from the wallet's entropy with each request, and the wallet's derivation is part of the time. That is so for ${OURS}; a keyring that keeps its keys in memory calls the wallet for neither.`,
        ...(node.note === undefined ? [] : [node.note]),
        ...(Object.keys(times).some((method) => method.includes('UserOperation'))
          ? [`The user operations of ${OURS} are beside those of others in the part "operations".`]
          : []),
        ...given.notes,
        ...Object.entries(failed).map(([name, reason]) => `${name} is left out, since it does not start: ${reason}`),
        ...byHand.flatMap((name) => refusalNotes(name, { ...running[name]?.refused, ...stopped[name] })),
        ...Object.entries(node.failed).map(([name, reason]) => `${name} in Node, not measured to the end: ${reason}`),
      ],
    };
  } finally {
    await browser.close();
  }
}
