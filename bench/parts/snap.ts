import { type Options } from '../options';
import { step } from '../progress';
import { barChart } from '../report/chart';
import { type Report } from '../report/report';
import { summary, type Summary } from '../report/statistics';
import { checkedTimes } from '../runtime/answers';
import { findChromium, type SnapBrowser, startBrowser, type Stored } from '../runtime/chromium';
import { bundleSize, dialectOf } from '../runtime/manifest';
import { FLOOR, FLOOR_ENTROPY, FLOOR_STATE, isFloor, OURS } from '../runtime/names';
import { measureInNode } from '../runtime/node';
import { orderNote, roundOrders } from '../runtime/order';
import { type SnapRequest } from '../runtime/request';
import { snapFolders } from '../runtime/systems';
import { refusalNotes, requestsOf } from './asking';
import { reasonOf } from './conversation';
import { firstOf } from './snap-requests';
import {
  type Failures,
  latencyGroups,
  latencyTable,
  sharesOf,
  sharesTables,
  sizeTable,
  type Start,
  startTable,
  type Times,
} from './snap-tables';
import { accountRows, signatureRows, spacedRows } from './warm';

/** The first signature after a restart: the first of these that a snap answers. */
const FIRST_SIGNATURES = [
  'personal_sign, imported key',
  'personal_sign, own key',
  'eth_signUserOperation, imported key',
];

/** The subjects: built snaps in one browser. */
type Field = {
  readonly browser: SnapBrowser;
  readonly folders: Readonly<Record<string, string>>;
  /** The names of snaps given by the user, whose behaviour is unknown. */
  readonly given: readonly string[];
  readonly seed: number;
};

/** A running snap, and what it needs to sign again after a restart. */
type Tried = {
  readonly signing?: { readonly stored: Stored; readonly request: SnapRequest };
  readonly refused: Readonly<Record<string, string>>;
  readonly failed: Readonly<Record<string, string>>;
};

/** Starts each snap once and finds out what it answers. @returns The working snaps; and why the others do not work. */
async function tryAll({ browser, folders, given }: Field) {
  const running: Record<string, Tried> = {};
  const failed: Record<string, string> = {};
  for (const [at, [name, folder]] of Object.entries(folders).entries()) {
    step(`what ${name} answers`, [at, Object.keys(folders).length]);
    const wallet = await browser.open();
    try {
      await wallet.install(name, { first: firstOf(name), hasProvider: given.includes(name) });
      if (isFloor(name)) running[name] = { refused: {}, failed: {} };
      else {
        const { requests, refused, failed: wrong } = await requestsOf(name, wallet, dialectOf(folder));
        const request = FIRST_SIGNATURES.map((method) => requests[method]).find((each) => each !== undefined);
        running[name] = {
          refused,
          failed: wrong,
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

/**
 * Measures from the start of the executor to the first response, and from a restart to the first signature; each in a
 * fresh page.
 */
async function measureStarts({ browser, given, seed }: Field, tried: Readonly<Record<string, Tried>>, rounds: number) {
  const starts: Record<string, Start> = {};
  const names = Object.keys(tried);
  for (const name of names) starts[name] = { boot: [], firstSignature: [], heap: 0 };
  const failed: Record<string, string> = {};
  const orderOf = roundOrders(names, seed);
  for (let round = 0; round < rounds; round++) {
    step('rounds of starts', [round, rounds]);
    for (const name of orderOf(round)) {
      const [start, signing] = [starts[name], tried[name]?.signing];
      if (start === undefined) continue;
      const hasProvider = given.includes(name);
      const wallet = await browser.open();
      start.boot.push(await wallet.install(name, { first: firstOf(name), hasProvider }));
      start.heap = await wallet.heap();
      await wallet.close();
      if (signing === undefined || failed[name] !== undefined) continue;
      const again = await browser.open();
      try {
        start.firstSignature.push(
          await again.install(name, { ...signing.stored, first: signing.request, hasProvider }),
        );
      } catch (error) {
        failed[name] = reasonOf(error);
        start.firstSignature.length = 0;
      }
      await again.close();
    }
  }
  return { starts, failed };
}

/** @returns Milliseconds per request, by method and snap: all snaps run at once, and answer in turn. */
async function measureWarm({ browser, folders, given, seed }: Field, rounds: number) {
  const wallet = await browser.open();
  const byMethod: Record<string, Record<string, SnapRequest>> = {};
  const creations: Record<string, SnapRequest> = {};
  for (const [name, folder] of Object.entries(folders)) {
    await wallet.install(name, { hasProvider: given.includes(name) });
    if (isFloor(name)) continue;
    const { requests, creation } = await requestsOf(name, wallet, dialectOf(folder));
    if (creation !== undefined) creations[name] = creation;
    for (const [method, request] of Object.entries(requests)) (byMethod[method] ??= {})[name] = request;
  }
  const times: Record<string, Record<string, Summary>> = {};
  const calls: Record<string, Record<string, number>> = {};
  const failures: Record<string, Record<string, string>> = {};
  const extent = { rounds, seed };
  const rows = [...signatureRows(byMethod, extent), ...spacedRows(byMethod, extent), ...accountRows(creations, extent)];
  for (const [at, { method, requests, plan }] of rows.entries()) {
    step(method, [at, rows.length]);
    const measured = checkedTimes(await wallet.alternate(requests, plan), requests);
    times[method] = measured.times;
    for (const [name, reason] of Object.entries(measured.failed)) (failures[name] ??= {})[method] = reasonOf(reason);
    if (requests[OURS] !== undefined) calls[method] = await wallet.count(OURS, requests[OURS]);
  }
  await wallet.close();
  return { times, calls, failures };
}

/** Built snaps side by side in the same runtime: in Chromium, and in Node. */
export async function benchSnaps({ given, baseline, alone, seed, quick }: Options): Promise<Report | undefined> {
  const all = await snapFolders({ baseline: baseline.folders, peers: !alone, given: given.folders });
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: Chromium is not installed (apt-get install chromium, or set CHROMIUM to its path)');
    return undefined;
  }
  const browser = await startBrowser(chromium, all);
  try {
    const byHand = Object.keys(given.folders);
    const { running, failed } = await tryAll({ browser, folders: all, given: byHand, seed });
    const folders = Object.fromEntries(Object.entries(all).filter(([name]) => running[name] !== undefined));
    const field: Field = { browser, folders, given: byHand, seed };
    const names = Object.keys(folders);
    const { starts, failed: unsigned } = await measureStarts(field, running, quick ? 2 : 9);
    const { times, calls, failures: late } = await measureWarm(field, quick ? 5 : 40);
    const node = measureInNode({ folders, given: byHand, rounds: quick ? 5 : 30, seed });
    const sizes = Object.fromEntries(names.map((name) => [name, bundleSize(folders[name] ?? '')]));
    const compared = byHand.filter((name) => running[name] !== undefined);
    const shares = sharesOf(compared, sizes, times);
    const refused = Object.fromEntries(Object.entries(running).map(([name, tried]) => [name, tried.refused]));
    const failures: Failures = Object.fromEntries(
      names.map((name) => [name, { ...running[name]?.failed, ...late[name] }]),
    );
    const latencyTables: [string, Times, Failures][] = [
      [`Chromium ${browser.version}`, times, failures],
      ...(node.times === undefined
        ? []
        : [[`Node ${node.version}`, node.times, node.failed] as [string, Times, Failures]]),
    ];
    return {
      tables: [
        sizeTable('Size of the bundle, bytes', names, sizes),
        startTable(`Start and memory, Chromium ${browser.version}; ${orderNote(seed)}`, names, { starts, node }),
        ...latencyTables.map(([where, by, failing], at) => ({
          ...latencyTable(`Warm latency, ms, ${where}; ${orderNote(seed)}`, names, by, failing),
          isDetail: at > 0,
        })),
        ...(compared.length === 0
          ? []
          : sharesTables(`Chromium ${browser.version}; ${orderNote(seed)}`, compared, shares).map((table) => ({
              ...table,
              isDetail: true,
            }))),
      ],
      charts: {
        'snap-boot': barChart(
          'Boot to first answer',
          'ms',
          names.map((name) => ({ name, values: { ms: summary(starts[name]?.boot ?? []).median } })),
        ),
        'snap-latency': barChart('Warm latency in Chromium', 'ms, logarithmic', latencyGroups(times), 'log'),
      },
      data: { chromium: browser.version, seed, sizes, starts, times, calls, node, shares, refused, failed, failures },
      notes: [
        `Medians; the range of the middle 80 % is in brackets. There are two floors: "${FLOOR}" answers every request with an empty list and makes no wallet call; the other first makes the one call with which ${OURS} gets the key: "${FLOOR_STATE}" reads an entry of its state, "${FLOOR_ENTROPY}" requests entropy. ${OURS} never keeps a key in memory between requests, so each signature makes that call: it reads imported keys from its state and derives its own keys from the wallet's entropy. Recording the signature is a second call, which no floor makes. A keyring that keeps its keys in memory makes no call.`,
        'Every response is checked: signatures must recover to the account, and all other responses must have the shape of their method. "failed" means an error or a wrong response, "–" a method that a snap does not support.',
        ...(node.note === undefined ? [] : [node.note]),
        ...(Object.keys(times).some((method) => method.includes('UserOperation'))
          ? [`The user operations of ${OURS} are compared with others in the part "operations".`]
          : []),
        ...baseline.notes,
        ...given.notes,
        ...Object.entries(unsigned).map(
          ([name, reason]) => `${name} is not measured from a restart to the first signature: ${reason}`,
        ),
        ...Object.entries(failed).map(([name, reason]) => `${name} is left out because it does not start: ${reason}`),
        ...names.flatMap((name) =>
          refusalNotes(name, { ...(byHand.includes(name) && running[name]?.refused), ...failures[name] }),
        ),
        ...Object.entries(node.left).map(([name, reason]) => `${name} in Node is left out: ${reason}`),
        ...Object.entries(node.failed).flatMap(([name, reasons]) => refusalNotes(`${name} in Node`, reasons)),
      ],
    };
  } finally {
    await browser.close();
  }
}
