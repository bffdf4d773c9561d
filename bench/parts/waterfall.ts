import { type Options } from '../options';
import { step } from '../progress';
import { waterfallChart } from '../report/waterfall';
import { type Report } from '../report/report';
import { summary } from '../report/statistics';
import { findChromium, startBrowser, type Timed } from '../runtime/chromium';
import { FLOOR_STATE, OURS } from '../runtime/names';
import { orderNote, roundOrders } from '../runtime/order';
import { snapFolders } from '../runtime/systems';
import { requestsOf } from './asking';

const METHODS = ['personal_sign', 'eth_signTypedData_v4 (permit)', 'eth_signTransaction'];

const NAMES = [OURS, FLOOR_STATE];

const medianOf = (times: readonly Timed[], part: keyof Timed): number =>
  summary(times.map((each) => each[part])).median;

/**
 * Where the time of a signature is spent: between the caller and the wallet, and in the snap before and after it
 * requests the key.
 */
export async function benchWaterfall({ quick, seed }: Options): Promise<Report | undefined> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: Chromium is not installed (apt-get install chromium, or set CHROMIUM to its path)');
    return undefined;
  }
  const { [OURS]: ours = '', [FLOOR_STATE]: oneCall = '' } = await snapFolders();
  const browser = await startBrowser(chromium, { [OURS]: ours, [FLOOR_STATE]: oneCall });
  try {
    const wallet = await browser.open();
    for (const name of NAMES) await wallet.install(name);
    const { requests } = await requestsOf(OURS, wallet);
    const orderOf = roundOrders(NAMES, seed);
    const rows = [];
    for (const [at, method] of METHODS.entries()) {
      step(method, [at, METHODS.length]);
      const request = requests[`${method}, imported key`];
      if (request === undefined) continue;
      const timed: Record<string, Timed[]> = {};
      for (let round = 0; round < (quick ? 2 : 10); round++) {
        for (const name of orderOf(round))
          (timed[name] ??= []).push(...(await wallet.timeline(name, request, quick ? 25 : 40)));
      }
      const { [OURS]: mine = [], [FLOOR_STATE]: floor = [] } = timed;
      const [delivery, wallets] = [medianOf(floor, 'before'), medianOf(floor, 'after')];
      rows.push({
        name: method,
        steps: [
          { name: 'the request goes to the snap', ms: delivery },
          { name: 'read, hash and explain it', ms: Math.max(0, medianOf(mine, 'before') - delivery) },
          { name: 'the wallet hands over the key, the answer goes back', ms: wallets },
          { name: 'sign, check and record the signature', ms: Math.max(0, medianOf(mine, 'after') - wallets) },
        ],
      });
    }
    const [first] = rows;
    return {
      tables: [
        {
          title: `Where the time of a signature goes, ms, Chromium ${browser.version}, imported key; ${orderNote(seed)}`,
          columns: ['Request', ...(first?.steps.map(({ name }) => name) ?? [])],
          rows: rows.map(({ name, steps }) => [name, ...steps.map(({ ms }) => ms.toFixed(2))]),
        },
      ],
      charts: { waterfall: waterfallChart('Where the time of a signature goes', 'ms', rows) },
      data: { chromium: browser.version, seed, rows },
      notes: [
        `The time is split where the snap first calls the wallet. The time of "${FLOOR_STATE}", an empty snap that makes the first call, belongs to the runtime and the wallet; the rest is ours.`,
      ],
    };
  } finally {
    await browser.close();
  }
}
