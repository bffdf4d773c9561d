import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { RPC_METHODS } from '../../src/snap/rpc';
import { KEYRING_METHODS } from '../../src/snap/handlers/keyring';
import { MANAGEMENT_METHODS } from '../../src/snap/handlers/management';
import { METHODS, USER_OPERATION_METHODS } from '../../src/snap/methods';
import budget from './budget.json';
import { type BudgetRequest, budgetRequests, signatures } from './budget-requests';
import { BudgetWorld, type Call } from './budget-world';
import { signaturesWith } from './growth';

/** The calls of a request after a start and when repeated, and the reason for a repeated call, if any. */
type Allowed = { readonly first: string; readonly warm: string; readonly twice?: string };
const CALLS: Readonly<Record<string, Allowed>> = budget.calls;

/** Forwarded unchanged to the node of the site's chain. */
const READS = Object.keys(RPC_METHODS).filter((method) => !Object.hasOwn(CALLS, `dapp: ${method}`));

let world: BudgetWorld;
let requests: Readonly<Record<string, BudgetRequest>>;
beforeAll(async () => {
  world = await BudgetWorld.start();
  requests = budgetRequests(world);
});
afterAll(() => world.stop());

/** Concurrent requests arrive in any order. */
const sorted = (calls: readonly string[]): string[] => calls.filter((call) => call !== '').sort();

/** Calls repeated with exactly the same parameters. */
const repeated = (calls: readonly Call[]): string[] =>
  calls.filter(({ exact }, at) => calls.findIndex((call) => call.exact === exact) < at).map(({ name }) => name);

it.each([
  ['dist', budget.bundleGzipBytes],
  ['dist-insights', budget.insightsGzipBytes],
])('the bundle in %s is within its budget of bytes', (folder, most) => {
  const bundle = readFileSync(join(__dirname, '../..', folder, 'bundle.js'));
  expect(gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(most);
});

it('the budget covers every method of both handlers', () => {
  const named = (names: readonly string[], prefix = ''): string[] =>
    names.filter((name) => !Object.keys(CALLS).some((entry) => entry.split(',')[0] === prefix + name));
  const signed = [...Object.keys(METHODS), ...Object.keys(USER_OPERATION_METHODS)];
  const managed = [...KEYRING_METHODS, ...Object.keys(MANAGEMENT_METHODS)];
  // Submitted methods are listed by their own names.
  expect(named([...signed, ...managed])).toEqual(['keyring_submitRequest']);
  // Methods that are not forwarded to a node.
  expect(READS.filter((method) => !/^(?:eth|web3)_/u.test(method))).toEqual([]);
  expect(named(signed, 'dapp: ')).toEqual([]);
  expect(Object.keys(requests)).toEqual(Object.keys(CALLS));
});

describe('wallet, node, bundler, paymaster and storage are not called more often than necessary', () => {
  it.each(Object.entries(CALLS))('%s', async (name, { first, warm, twice }) => {
    const snap = world.start();
    const rounds: Call[][] = [];
    for (const round of [0, 1]) {
      rounds.push(await world.traced(() => requests[name]!(snap, round)));
    }
    const names = rounds.map((calls) => sorted(calls.map((call) => call.name)));
    expect(names).toEqual([first, warm].map((calls) => sorted(calls.split(', '))));
    expect(rounds.flatMap(repeated).length > 0).toBe(twice !== undefined);
  });

  it('forwarded methods', async () => {
    const snap = world.start();
    await snap.dapp('eth_blockNumber');
    for (const method of READS) {
      // The calls do not depend on whether the node supports the method.
      const calls = await world.traced(() =>
        snap.dapp(method, method === 'eth_call' ? [{}] : []).catch(() => undefined),
      );
      expect(calls.map(({ name }) => name)).toEqual(['snap_getClientStatus', 'node eth_chainId', `node ${method}`]);
    }
  });
});

// Last: it computes for so long that the services of the tests above would close idle connections.
it('a signature asks the wallet for the same with 10,000 accounts and full histories as with two', async () => {
  const paramsOf = (method: string, address: string) => signatures(address)[method]!;
  const [few, many] = [await signaturesWith(2, paramsOf), await signaturesWith(10_000, paramsOf)];
  // The order of the histories names fifty accounts instead of two.
  const most = 48 * 50;
  for (const [name, calls] of Object.entries(few)) {
    const grown = many[name]!;
    expect(grown.map(({ call }) => call)).toEqual(calls.map(({ call }) => call));
    for (const [at, { call, bytes }] of grown.entries())
      expect([call, bytes]).toEqual([call, /historyOrder/u.test(call) ? expect.any(Number) : calls[at]!.bytes]);
    const orders = grown.filter(({ call }) => /historyOrder/u.test(call));
    for (const { bytes } of orders) expect(bytes).toBeLessThan(most + 200);
  }
});
