import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Options } from '../options';
import { KEY } from '../payloads';
import { barChart } from '../report/chart';
import { type Report } from '../report/report';
import { shown, spread, summary, type Summary } from '../report/statistics';
import { startChain } from '../runtime/chain';
import { findChromium, startBrowser } from '../runtime/chromium';
import { writeFloor } from '../runtime/floor';
import { runInNode } from '../runtime/node';
import { type SnapRequest } from '../runtime/request';
import { FLOOR, FLOOR_ONE_CALL, OURS, pathOf, snapFolders } from '../runtime/systems';
import { type Account, createAccount, submit } from './snap-requests';

const CHAIN = 'eip155:31337';
const ROUND_TRIPS = 'empty snap, the same round trips';

/** Asks the node three things at once and the bundler one, and writes one entry of the state: what preparing has to do. */
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

/** User operations with a node and a bundler that answer at once, in Chromium; and how fast they are hashed, in Node. */
export async function benchOperations({ quick }: Options): Promise<Report | undefined> {
  const chromium = findChromium();
  if (chromium === undefined) {
    console.log('skipped: no Chromium on this machine (apt-get install chromium, or name one in CHROMIUM)');
    return undefined;
  }
  const chain = await startChain();
  const { [FLOOR]: floor = '', [FLOOR_ONE_CALL]: oneCall = '', [OURS]: ours = '' } = await snapFolders({});
  const trips = join(tmpdir(), `keystead-bench-${pathOf(ROUND_TRIPS)}`);
  await writeFloor(trips, ours, roundTrips(chain.url));
  const folders = { [FLOOR]: floor, [FLOOR_ONE_CALL]: oneCall, [ROUND_TRIPS]: trips, [OURS]: ours };
  const names = Object.keys(folders);
  const browser = await startBrowser(chromium, folders);
  try {
    const wallet = await browser.open();
    for (const name of names) await wallet.install(name);
    const ask = (request: SnapRequest) => wallet.call<{ result: Record<string, unknown> }>(OURS, request);
    await ask({
      door: 'keyring',
      origin: 'metamask',
      method: 'keystead_setChain',
      params: { chainId: CHAIN, rpcUrl: chain.url, bundlerUrl: chain.url },
    });
    const smart = { type: 'eip155:erc4337', chainId: CHAIN, privateKey: `0x${KEY}` };
    const account = await wallet.call<Account>(OURS, createAccount(smart));
    const prepare = submit(
      account.id,
      'eth_prepareUserOperation',
      [{ to: '0x1111111254eeb25477b68fb85ed929f73a960582', value: '0x1', data: '0x' }],
      CHAIN,
    );
    const { result } = await ask(prepare);
    const operation = {
      sender: account.address,
      nonce: result.nonce,
      initCode: result.initCode,
      callData: result.callData,
      ...(result.gasLimits as object),
      maxFeePerGas: '0x59682f00',
      maxPriorityFeePerGas: '0x59682f00',
      paymasterAndData: '0x',
      signature: result.dummySignature,
    };
    const requests: Record<string, SnapRequest> = {
      eth_prepareUserOperation: prepare,
      eth_patchUserOperation: submit(account.id, 'eth_patchUserOperation', [operation], CHAIN),
      eth_signUserOperation: submit(account.id, 'eth_signUserOperation', [operation], CHAIN),
    };
    const times: Record<string, Record<string, Summary>> = {};
    for (const [method, request] of Object.entries(requests)) {
      const all = Object.fromEntries(names.map((name) => [name, request]));
      const measured = await wallet.alternate(all, quick ? 5 : 40, 5);
      times[method] = Object.fromEntries(Object.entries(measured).map(([name, values]) => [name, summary(values)]));
    }
    const hashes = runInNode<{ version: string; rates: Record<string, Summary> }>('operations', {
      rounds: quick ? 2 : 9,
    });
    const rows = Object.entries(times).map(([method, by]) => [
      method,
      ...names.map((name) => (by[name] === undefined ? '–' : spread(by[name]))),
      ((by[OURS]?.median ?? NaN) / (by[FLOOR]?.median ?? NaN)).toFixed(2),
    ]);
    return {
      tables: [
        {
          title: `User operations of a smart account with an imported owner, ms, Chromium ${browser.version}`,
          columns: ['Request', ...names, `${OURS} / ${FLOOR}`],
          rows,
        },
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
        operations: barChart(
          'User operations in Chromium',
          'ms',
          Object.entries(times).map(([name, by]) => ({
            name,
            values: Object.fromEntries(Object.entries(by).map(([system, { median }]) => [system, median])),
          })),
        ),
      },
      data: { chromium: browser.version, times, hashes },
      notes: [
        `The node and the bundler are simulated on loopback and answer at once. "${ROUND_TRIPS}" is an empty snap that makes the requests that preparing makes: three at once, one after them, and one change of its state. Signing shows a dialog, which is answered at once.`,
      ],
    };
  } finally {
    await browser.close();
    chain.close();
  }
}
