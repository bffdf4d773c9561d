import { Meter, type Charge } from '../../../src/service/chain/credits/meter';
import { priceList } from '../../../src/service/chain/credits/prices';
import { openSqliteLedger } from '../../../src/service/chain/credits/sqlite';
import { parseConfig } from '../../../src/service/cli/config';
import { join } from 'node:path';
import { makeFolder } from '../../support/service/folder';
import { startNode } from '../../support/service/node';
import { testWithinOneDay } from '../../support/service/one-day';
import { startService } from '../../support/service/service';

const uncle = (id: number, index = '0x0') => ({
  jsonrpc: '2.0',
  id,
  method: 'eth_getUncleByBlockNumberAndIndex',
  params: ['0x0', index],
});

const spent = (price: number, daily: number) => ({
  code: 402,
  event: -33000,
  message: 'Payment Required',
  details: `You have reached your daily credit limit. This request costs ${price} credits, ${price > daily ? 'more than' : 'and fewer are left of'} the ${daily} that this key has from midnight to midnight UTC.`,
});

testWithinOneDay(
  'each uncle lookup costs 150; the first one over the limit is answered 402 in the documented shape',
  async () => {
    const { post, used } = await startService({ credits: { daily: 450 } });
    for (let id = 1; id <= 3; id++)
      expect(await post(uncle(id))).toMatchObject({ status: 200, body: { id, result: null } });
    expect(await post(uncle(4))).toMatchObject({
      status: 402,
      body: { jsonrpc: '2.0', id: 4, error: spent(150, 450) },
    });
    expect(await used()).toBe(450);
  },
);

testWithinOneDay('a batch is charged item by item', async () => {
  const { post, used } = await startService({ credits: { daily: 450 } });
  const batch = [1, 2, 3, 4, 5].map((id) => uncle(id));
  const { status, body } = await post(batch);
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { result: null },
    { result: null },
    { result: null },
    { error: spent(150, 450) },
    { error: spent(150, 450) },
  ]);
  expect(await used()).toBe(450);
  expect(await post(batch)).toMatchObject({ status: 402 });
});

testWithinOneDay('a malformed request costs 5, and nothing is done for a key without credits', async () => {
  const { post, used } = await startService({ credits: { daily: 12 } });
  await post(uncle(1, '0x00'));
  await post('{');
  expect(await used()).toBe(10);
  expect(await post('{')).toMatchObject({ status: 402, body: { id: null, error: spent(5, 12) } });
  expect(await post({ jsonrpc: '2.0', id: 3, method: 'eth_nothing' })).toMatchObject({
    status: 402,
    body: { id: 3, error: spent(5, 12) },
  });
  expect(await used()).toBe(10);
});

testWithinOneDay('a key may have its own limit', async () => {
  const { post } = await startService({ credits: { daily: 1_000_000 } }, { dailyCredits: 150 });
  expect(await post(uncle(1))).toMatchObject({ status: 200 });
  expect(await post(uncle(2))).toMatchObject({ status: 402 });
});

test('prices are the operator’s', async () => {
  const node = await startNode(() => '0x1');
  const { call, used } = await startService({
    credits: { prices: { eth_blockNumber: 7 }, other: 1 },
    networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }],
  });
  await call('eth_blockNumber');
  expect(await used()).toBe(7);
  await call('eth_gasPrice');
  expect(await used()).toBe(8);
  await call('eth_getUncleByBlockNumberAndIndex', '0x0', '0x0');
  expect(await used()).toBe(158);
});

testWithinOneDay('credits survive a restart', async () => {
  const first = await startService({ credits: { daily: 300 } });
  await first.post(uncle(1));
  await first.post(uncle(2));
  const { key } = first.key;
  await first.stop();
  const second = await startService({ credits: { daily: 300 } }, { dataDir: first.dataDir });
  expect(await second.post(uncle(3), { key })).toMatchObject({ status: 402 });
  expect(await second.post(uncle(4))).toMatchObject({ status: 200 });
});

test('a new day (UTC) brings new credits, and a late refund goes to the day of its debit', async () => {
  let now = Date.UTC(2026, 0, 1, 23, 59, 59, 999);
  const ledger = openSqliteLedger(join(makeFolder(), 'credits.sqlite'));
  const meter = new Meter(ledger, priceList(parseConfig({ credits: { daily: 150 } }).credits), () => now);
  const identity = { id: 'a', name: '', dailyCredits: undefined };
  const take = (amount: number) =>
    new Promise<Charge>((resolve, reject) => {
      meter.charge(identity, amount, resolve, reject);
    });
  const charge = await take(150);
  await expect(take(1)).rejects.toMatchObject({ code: 402, status: 402 });
  now += 1;
  await take(100);
  await meter.refund(charge);
  expect(await ledger.used('a', '2026-01-01')).toBe(0);
  expect(await ledger.used('a', '2026-01-02')).toBe(100);
  await ledger.close();
  await expect(take(1)).rejects.toMatchObject({ code: -32603, status: 503 });
});
