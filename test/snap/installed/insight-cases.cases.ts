import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type Json } from '@metamask/snaps-sdk';
import { type Hex } from 'viem';

import { serveSnap, type SnapServer } from '../../../src/devnet/snap-server';
import { type InsightCase, openPart, type Simulation, simulate, tokenAnswer, unmet } from '../../support/insight-cases';
import { installKeystead, type Keystead } from '../../support/wallet/installed';
import { MinedChain } from '../../support/wallet/mined-chain';
import { nodeError, WalletNetworks } from '../../support/wallet/wallet-networks';

/** Cases that other readers of the screens collected may be in a directory beside the repository. */
const FOLDER = resolve(__dirname, '../../../../shared/cases/screens-2');
const ME = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const SMART = '0x3333333333333333333333333333333333333333';
/** Somebody to whom the account has sent something. */
const KNOWN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const SITE = 'https://dapp.example';

/** Of accounts and networks of the edition with accounts; and an access list, which the runtime does not pass on. */
const NOT_HERE = [
  '62a-own-smart-account-on-a-network-where-it-is-not',
  '32b-the-node-of-the-site-lies',
  '31e-access-list-is-left-out',
];
const METHODS = ['eth_sendTransaction', 'eth_signTypedData_v4', 'personal_sign'];

const read = (file: string): InsightCase => {
  const text = readFileSync(join(FOLDER, file), 'utf8')
    .replaceAll('$IN30', String(Math.floor(Date.now() / 1000) + 30 * 86_400))
    .replaceAll('$SMART', SMART)
    .replaceAll('$smart', SMART.slice(2).toLowerCase())
    .replaceAll('$ME', ME)
    .replaceAll('$me', ME.slice(2).toLowerCase());
  return JSON.parse(text) as InsightCase;
};

const CASES = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .map(read)
      .filter(({ id, door, method }) => door !== 'keyring' && METHODS.includes(method) && !NOT_HERE.includes(id))
  : [];

/** The runtime's own fees are too low for any network. */
const FEES = { maxFeePerGas: '0xee6b2800', maxPriorityFeePerGas: '0x3b9aca00' } as const;

/** What a node of the network answers if a case does not say otherwise. */
const ANSWERS: Readonly<Record<string, Json>> = {
  eth_getBalance: '0x56bc75e2d63100000',
  eth_gasPrice: '0xb2d05e00',
  eth_estimateGas: '0x15f90',
  eth_getStorageAt: '0x',
};

(CASES.length > 0 ? describe : describe.skip)(
  `Keystead Insights tells what collected requests do${CASES.length > 0 ? '' : ' (skipped: ../shared/cases is not here)'}`,
  () => {
    const networks = new WalletNetworks();
    const chain = new MinedChain();
    let server: SnapServer;
    let keystead: Keystead;
    let current: InsightCase | undefined;
    let simulation: Simulation | undefined;
    /** Processor time of each insight with the runtime around it, in milliseconds. */
    const times: number[] = [];
    const timed = async <T>(run: () => Promise<T>): Promise<T> => {
      const start = process.cpuUsage();
      const result = await run();
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1000);
      return result;
    };

    beforeAll(async () => {
      networks.answers = {
        ...Object.fromEntries(Object.entries(ANSWERS).map(([method, answer]) => [method, () => answer])),
        ...chain.answers,
        eth_getBlockByNumber: (params) => ({
          ...(chain.answers.eth_getBlockByNumber!(params) as object),
          hash: `0x${'11'.repeat(32)}`,
          timestamp: '0x70000000',
          baseFeePerGas: '0x77359400',
          gasLimit: '0x1c9c380',
          gasUsed: '0x0',
        }),
        eth_getCode: ([address]) => (address?.toString().toLowerCase() === ME.toLowerCase() ? own() : '0x6001'),
        eth_call: ([call]) => {
          const { to = '', data = '', input = data } = call as Readonly<Record<string, string>>;
          return (current && tokenAnswer(current, to, input, false)) ?? '0x';
        },
        eth_simulateV1: (params) => {
          if (current?.sim === undefined) return nodeError(-32005, 'limit exceeded');
          const done = simulate(current, params);
          simulation = done.simulation;
          return done.answer;
        },
      };
      server = await serveSnap(join(__dirname, '../../../dist-insights'), 0);
      keystead = await installKeystead({
        snapId: `local:${server.url}`,
        answer: ({ method, params }) =>
          method === 'snap_getBackgroundEvents' ? [] : networks.request({ method, params }),
      });
      const sent = { from: ME, to: KNOWN, value: '0x1' } as const;
      await timed(() => keystead.snap.onTransaction({ ...sent, origin: SITE, chainId: 'eip155:1' }));
      chain.mine(sent);
      await keystead.snap.onCronjob({ method: 'lookUpSent' });
    });
    afterAll(async () => {
      await server.stop();
      const [first = 0, ...others] = times.map(Math.round);
      const [median, longest] = [others.sort((a, b) => a - b)[others.length >> 1], others.at(-1)];
      process.stdout.write(
        `Processor time of an insight: the first ${first} ms, then median ${median} ms, longest ${longest} ms\n`,
      );
    });

    const own = (): string => current?.myCode ?? '0x';

    /** What the insight into the request of a case shows. */
    const shown = async ({ method, params, chain: number = '1', site = SITE }: InsightCase): Promise<unknown> => {
      if (method === 'eth_sendTransaction') {
        const { gas: gasLimit, ...transaction } = params[0] as Readonly<Record<string, Hex>>;
        const asked = { ...FEES, ...transaction, ...(gasLimit !== undefined && { gasLimit }), origin: site };
        return (await keystead.snap.onTransaction({ ...asked, chainId: `eip155:${number}` })).getInterface().content;
      }
      const [first, second] = params;
      const typed = (): unknown => (typeof second === 'string' ? JSON.parse(second) : second);
      const [data, from] = method === 'personal_sign' ? [first, second] : [typed(), first];
      const asked = { origin: site, from, data, signatureMethod: method };
      return (await keystead.snap.onSignature(asked as never)).getInterface().content;
    };

    it.each(CASES.map((one) => [one.id, one] as const))('%s', async (_id, one) => {
      current = one;
      simulation = undefined;
      networks.selected = BigInt(one.chain ?? 1);
      const open = openPart(await timed(() => shown(one)));
      expect({ lacks: unmet(one, { open, simulation }), open }).toEqual({ lacks: [], open });
    });
  },
);
