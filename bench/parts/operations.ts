import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Options } from '../options';
import { step } from '../progress';
import { barChart } from '../report/chart';
import { type Report } from '../report/report';
import { shown, type Summary } from '../report/statistics';
import { checkedTimes } from '../runtime/answers';
import { startChain } from '../runtime/chain';
import { findChromium, startBrowser } from '../runtime/chromium';
import { writeFloor } from '../runtime/floor';
import { dialectOf } from '../runtime/manifest';
import { runInNode } from '../runtime/node';
import { FLOOR, FLOOR_STATE, OURS, pathOf } from '../runtime/names';
import { orderNote } from '../runtime/order';
import { snapFolders } from '../runtime/systems';
import { operationsOf, ourOperations, refusalNotes } from './asking';
import { type Asked, reasonOf } from './conversation';
import { latencyGroups, latencyTable } from './snap-tables';
import { measurePreviews, previewTable } from './previews';
import { withFloors } from './warm';

const CHAIN = 'eip155:31337';
const ROUND_TRIPS = 'empty snap, the same round trips';

/**
 * Makes the calls that preparing needs: three concurrent ones to the node, one to the bundler, and one write to the
 * state.
 */
const roundTrips = (url: string): string => `
const ask = (method) => fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
}).then((response) => response.json());
module.exports.onKeyringRequest = async () => {
  await Promise.all([ask('eth_getCode'), ask('eth_call'), ask('eth_chainId')]);
  await ask('eth_estimateUserOperationGas');
  await snap.request({ method: 'snap_setState', params: { key: 'a', value: 1, encrypted: true } });
  return [];
};`;

/** User operations in Chromium, with a node and a bundler that answer at once; and their hashing rate in Node. */
export async function benchOperations({ given, seed, quick }: Options): Promise<Report | undefined> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: Chromium is not installed (apt-get install chromium, or set CHROMIUM to its path)');
    return undefined;
  }
  const chain = await startChain();
  const { [FLOOR]: floor = '', [FLOOR_STATE]: oneCall = '', [OURS]: ours = '' } = await snapFolders();
  const trips = join(tmpdir(), `keystead-bench-${pathOf(ROUND_TRIPS)}`);
  await writeFloor(trips, ours, roundTrips(chain.url));
  const folders = { [FLOOR]: floor, [FLOOR_STATE]: oneCall, [ROUND_TRIPS]: trips, [OURS]: ours, ...given.folders };
  const browser = await startBrowser(chromium, folders);
  try {
    const wallet = await browser.open();
    for (const name of [FLOOR, FLOOR_STATE, ROUND_TRIPS, OURS]) await wallet.install(name);
    const asked: Record<string, Asked> = {
      [OURS]: await ourOperations(OURS, wallet, { chain: CHAIN, url: chain.url }),
    };
    const notes = [...given.notes];
    for (const [name, folder] of Object.entries(given.folders)) {
      try {
        await wallet.install(name, { hasProvider: true });
        const answered = await operationsOf(name, wallet, dialectOf(folder));
        notes.push(...refusalNotes(name, answered.refused));
        asked[name] = answered;
      } catch (error) {
        notes.push(`${name} is left out because it does not start: ${reasonOf(error)}`);
      }
    }
    const others = Object.keys(asked).filter((name) => name !== OURS);
    const names = [FLOOR, FLOOR_STATE, ROUND_TRIPS, OURS, ...others];
    const times: Record<string, Record<string, Summary>> = {};
    const failures: Record<string, Record<string, string>> = {};
    for (const [name, { failed }] of Object.entries(asked)) failures[name] = { ...failed };
    const methods = Object.entries(asked[OURS]?.requests ?? {});
    for (const [at, [method, request]] of methods.entries()) {
      step(method, [at, methods.length]);
      const sent = [OURS, ...others].flatMap((name) => {
        const each = asked[name]?.requests[method];
        return each === undefined ? [] : [[name, each] as const];
      });
      const all = { ...withFloors(method, Object.fromEntries(sent)), [ROUND_TRIPS]: request };
      const measured = checkedTimes(await wallet.alternate(all, { rounds: quick ? 5 : 40, batch: 5, seed }), all);
      for (const [name, reason] of Object.entries(measured.failed)) (failures[name] ??= {})[method] = reasonOf(reason);
      times[method] = measured.times;
    }
    notes.push(...Object.entries(failures).flatMap(([name, reasons]) => refusalNotes(name, reasons)));
    const hashes = runInNode<{ version: string; rates: Record<string, Summary> }>('operations', {
      rounds: quick ? 2 : 9,
    });
    const previews = await measurePreviews(quick);
    return {
      tables: [
        latencyTable(
          `User operations of a smart account, ms, Chromium ${browser.version}; ${orderNote(seed)}`,
          names,
          times,
          failures,
        ),
        ...(previews === undefined ? [] : [previewTable(previews)]),
        ...(hashes === undefined
          ? []
          : [
              {
                title: `User operations hashed a second of one core, Node ${hashes.version}`,
                columns: ['', ...Object.keys(hashes.rates).map((version) => `entry point ${version}`)],
                rows: [[OURS, ...Object.values(hashes.rates).map(({ median }) => shown(median))]],
              },
            ]),
      ],
      charts: {
        operations: barChart('User operations in Chromium', 'ms', latencyGroups(times)),
      },
      data: { chromium: browser.version, seed, times, previews, hashes, failures },
      notes: [
        `The node and the bundler are simulated on loopback and answer at once. "${ROUND_TRIPS}" is an empty snap that makes the same requests as preparing: three at once, then one more, and one change of its state. Signing shows a dialog, which is confirmed at once.`,
        'Previews are measured in Node at a node on loopback that has the answers of anvil and sends each after a delay. "requests alone" are the same requests in the same rounds, without anything else.',
        ...(others.length === 0
          ? []
          : [
              `${others.join(', ')}: uses the wallet's own connection to a chain, which answers at once and without a network, while ${OURS} sends requests to the node and the bundler.`,
            ]),
        ...notes,
      ],
    };
  } finally {
    await browser.close();
    chain.close();
  }
}
