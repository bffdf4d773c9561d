import { type Options } from '../options';
import { step } from '../progress';
import { waterfallChart } from '../report/waterfall';
import { type Report } from '../report/report';
import { summary } from '../report/statistics';
import { findChromium, startBrowser, type Timed } from '../runtime/chromium';
import { FLOOR_ONE_CALL, OURS } from '../runtime/names';
import { snapFolders } from '../runtime/systems';
import { requestsOf } from './asking';

const METHODS = ['personal_sign', 'eth_signTypedData_v4 (permit)', 'eth_signTransaction'];

const medianOf = (times: readonly Timed[], part: keyof Timed): number =>
  summary(times.map((each) => each[part])).median;

/** Where the time of one signature goes: between us and the wallet, and in the snap, before it asks for the key and after. */
export async function benchWaterfall({ quick }: Options): Promise<Report | undefined> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: no Chromium on this machine (apt-get install chromium, or name one in CHROMIUM)');
    return undefined;
  }
  const { [OURS]: ours = '', [FLOOR_ONE_CALL]: oneCall = '' } = await snapFolders({}, true);
  const browser = await startBrowser(chromium, { [OURS]: ours, [FLOOR_ONE_CALL]: oneCall });
  try {
    const wallet = await browser.open();
    for (const name of [OURS, FLOOR_ONE_CALL]) await wallet.install(name);
    const { requests } = await requestsOf(OURS, wallet);
    const rows = [];
    for (const [at, method] of METHODS.entries()) {
      step(method, [at, METHODS.length]);
      const request = requests[`${method}, imported key`];
      if (request === undefined) continue;
      const count = quick ? 50 : 400;
      const [mine, floor] = [
        await wallet.timeline(OURS, request, count),
        await wallet.timeline(FLOOR_ONE_CALL, request, count),
      ];
      const [delivery, wallets] = [medianOf(floor, 'before'), medianOf(floor, 'after')];
      rows.push({
        name: method,
        steps: [
          { name: 'the request goes to the snap', ms: delivery },
          { name: 'read, hash and explain it', ms: Math.max(0, medianOf(mine, 'before') - delivery) },
          { name: 'the wallet hands over the key, the answer goes back', ms: wallets },
          { name: 'sign, and check the signature', ms: Math.max(0, medianOf(mine, 'after') - wallets) },
        ],
      });
    }
    const [first] = rows;
    return {
      tables: [
        {
          title: `Where the time of a signature goes, ms, Chromium ${browser.version}, imported key`,
          columns: ['Request', ...(first?.steps.map(({ name }) => name) ?? [])],
          rows: rows.map(({ name, steps }) => [name, ...steps.map(({ ms }) => ms.toFixed(2))]),
        },
      ],
      charts: { waterfall: waterfallChart('Where the time of a signature goes', 'ms', rows) },
      data: { chromium: browser.version, rows },
      notes: [
        `The time is split where the snap first calls the wallet. What an empty snap takes that makes the same one call is the runtime's and the wallet's; the rest is ours.`,
      ],
    };
  } finally {
    await browser.close();
  }
}
