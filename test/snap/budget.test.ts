import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { SITE_READS } from '../../src/core/methods/node-reads';
import { OWN_METHODS } from '../../src/core/methods/own';
import { SITE_METHODS } from '../../src/core/methods/sites';
import { METHODS, USER_OPERATION_METHODS } from '../../src/snap/account/methods';
import budget from './budget.json';
import { type BudgetRequest, budgetRequests, signatures } from './budget-requests';
import { BudgetWorld, type Call } from './budget-world';
import { signaturesWith } from './growth';

/** The calls of a request after a start and when repeated, and the reason for a repeated call, if any. */
type Allowed = { readonly first: string; readonly warm: string; readonly twice?: string };
const CALLS: Readonly<Record<string, Allowed>> = budget.calls;

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
  // Submitted methods are listed by their own names.
  expect(named([...signed, ...Object.keys(OWN_METHODS)])).toEqual(['keyring_submitRequest']);
  expect(named(Object.keys(SITE_METHODS), 'dapp: ')).toEqual([]);
  expect(Object.keys(requests)).toEqual(Object.keys(CALLS));
});

it('only what may ask the person according to the table of methods shows a dialog', () => {
  const shown = Object.entries(CALLS)
    .filter(([, { first, warm }]) => /snap_(?:dialog|createInterface)/u.test(`${first}, ${warm}`))
    .map(([name]) => name.split(',')[0]!);
  const asking = (table: object, prefix = ''): string[] =>
    Object.entries(table as Record<string, { asks?: true }>).flatMap(([name, { asks }]) =>
      asks ? [prefix + name] : [],
    );
  const signed = [...Object.keys(METHODS), ...Object.keys(USER_OPERATION_METHODS)];
  const all = [...asking(OWN_METHODS), ...asking(SITE_METHODS, 'dapp: ')];
  expect(shown.filter((name) => !all.includes(name) && !signed.includes(name))).toEqual([]);
  // These are measured where they ask nothing, or are refused before.
  expect(all.filter((name) => !shown.includes(name))).toEqual([
    'keyring_deleteAccount',
    'keyring_submitRequest',
    'keystead_addDelegate',
    'keystead_removeDelegate',
    'keystead_takeBackDelegation',
    'keystead_cancelRecovery',
    'keystead_restore',
    'keystead_replaceCalls',
  ]);
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
    for (const method of SITE_READS) {
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
