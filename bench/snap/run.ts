import { type Options } from '../options';
import { step } from '../progress';
import { type Report } from '../report';
import { type Summary } from '../statistics';
import { checkedTimes } from './answers';
import { refusalNotes, requestsOf } from './asking';
import { findChromium, type SnapBrowser, startBrowser } from './chromium';
import { reasonOf } from './conversation';
import { bundleSize, dialectOf } from './manifest';
import { FLOOR, FLOOR_ENTROPY, FLOOR_STATE, isFloor, OURS } from './names';
import { orderNote, roundOrders } from './order';
import { LIST, type SnapRequest } from './requests';
import { accountRows, signatureRows } from './rows';
import { snapFolders } from './systems';
import { type Failures, latencyTable, sizeTable, startTable } from './tables';

/** The subjects: built snaps in one browser. */
type Field = {
  readonly browser: SnapBrowser;
  readonly folders: Readonly<Record<string, string>>;
  readonly seed: number;
};

/** Starts each snap once. @returns Why those that do not work do not, by name. */
async function tryAll({ browser, folders }: Field): Promise<Record<string, string>> {
  const failed: Record<string, string> = {};
  for (const [at, name] of Object.keys(folders).entries()) {
    step(`whether ${name} starts`, [at, Object.keys(folders).length]);
    const wallet = await browser.open();
    try {
      await wallet.install(name, LIST);
    } catch (error) {
      if (name === OURS) throw error;
      failed[name] = reasonOf(error);
    } finally {
      await wallet.close();
    }
  }
  return failed;
}

/** Measures from the start of the executor to the first response; each in a fresh page. */
async function measureStarts({ browser, folders, seed }: Field, rounds: number): Promise<Record<string, number[]>> {
  const names = Object.keys(folders);
  const boots: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const orderOf = roundOrders(names, seed);
  for (let round = 0; round < rounds; round++) {
    step('rounds of starts', [round, rounds]);
    for (const name of orderOf(round)) {
      const wallet = await browser.open();
      boots[name]?.push(await wallet.install(name, LIST));
      await wallet.close();
    }
  }
  return boots;
}

/** @returns Milliseconds per request, by method and snap: all snaps run at once, and answer in turn. */
async function measureWarm({ browser, folders, seed }: Field, rounds: number) {
  const wallet = await browser.open();
  const byMethod: Record<string, Record<string, SnapRequest>> = {};
  const creations: Record<string, SnapRequest> = {};
  const refused: Record<string, Readonly<Record<string, string>>> = {};
  const failures: Record<string, Record<string, string>> = {};
  for (const [name, folder] of Object.entries(folders)) {
    await wallet.install(name);
    if (isFloor(name)) continue;
    const asked = await requestsOf(name, wallet, dialectOf(folder));
    if (asked.creation !== undefined) creations[name] = asked.creation;
    for (const [method, request] of Object.entries(asked.requests)) (byMethod[method] ??= {})[name] = request;
    refused[name] = asked.refused;
    failures[name] = { ...asked.failed };
  }
  const times: Record<string, Record<string, Summary>> = {};
  const extent = { rounds, seed };
  const rows = [...signatureRows(byMethod, extent), ...accountRows(creations, extent)];
  for (const [at, { method, requests, plan }] of rows.entries()) {
    step(method, [at, rows.length]);
    const measured = checkedTimes(await wallet.alternate(requests, plan), requests);
    times[method] = measured.times;
    for (const [name, reason] of Object.entries(measured.failed)) (failures[name] ??= {})[method] = reasonOf(reason);
  }
  await wallet.close();
  return { times, refused, failures };
}

/** Built snaps side by side in the same runtime, in Chromium. */
export async function benchSnaps({ given, seed, quick }: Options): Promise<Report | undefined> {
  const all = await snapFolders(given.folders);
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: Chromium is not installed (apt-get install chromium, or set CHROMIUM to its path)');
    return undefined;
  }
  const browser = await startBrowser(chromium, all);
  try {
    const failed = await tryAll({ browser, folders: all, seed });
    const folders = Object.fromEntries(Object.entries(all).filter(([name]) => failed[name] === undefined));
    const field: Field = { browser, folders, seed };
    const names = Object.keys(folders);
    const boots = await measureStarts(field, quick ? 2 : 9);
    const warm = await measureWarm(field, quick ? 5 : 40);
    const { times, refused }: typeof warm = warm;
    const failures: Failures = warm.failures;
    const sizes = Object.fromEntries(names.map((name) => [name, bundleSize(folders[name] ?? '')]));
    const where = `Chromium ${browser.version}; ${orderNote(seed)}`;
    return {
      tables: [
        sizeTable('Size of the bundle, bytes', names, sizes),
        startTable(`Start, ${where}`, names, boots),
        latencyTable(`Warm latency, ms, ${where}`, names, times, failures),
      ],
      data: { chromium: browser.version, seed, sizes, boots, times, refused, failed, failures },
      notes: [
        `Medians; the range of the middle 80 % is in brackets. There are two floors: "${FLOOR}" answers every request with an empty list and makes no wallet call; the other first makes the one call with which ${OURS} gets the key: "${FLOOR_STATE}" reads an entry of its state, "${FLOOR_ENTROPY}" requests entropy. ${OURS} never keeps a key in memory between requests, so each signature makes that call: it reads imported keys from its state and derives its own keys from the wallet's entropy. Recording the signature is a second call, which no floor makes. A keyring that keeps its keys in memory makes no call.`,
        'Every response is checked: signatures must recover to the account, and all other responses must have the shape of their method. "failed" means an error or a wrong response, "–" a method that a snap does not support.',
        ...given.notes,
        ...Object.entries(failed).map(([name, reason]) => `${name} is left out because it does not start: ${reason}`),
        ...names.flatMap((name) => refusalNotes(name, { ...(name !== OURS && refused[name]), ...failures[name] })),
      ],
    };
  } finally {
    await browser.close();
  }
}
