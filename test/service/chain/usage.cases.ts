import { Registry } from 'prom-client';

import { meterKeys, rpcMetrics } from '../../../src/service/chain/metrics';
import { emptyCounts } from '../../../src/service/keys/use';
import { perRun } from '../../support/nightly';
import { testWithinOneDay } from '../../support/service/one-day';
import { startService } from '../../support/service/service';

const ask = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: [] });

testWithinOneDay('a key sees what it has used today: credits by method, and refusals by reason', async () => {
  const { url, keys, post, metrics, logged } = await startService();
  const { key } = await keys.create({
    name: 'shop',
    dailyCredits: 17,
    limits: { methods: ['eth_chainId', 'eth_gasPrice'] },
  });
  const usage = async () => {
    const response = await fetch(`${url}/v3/${key}/usage`);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    return [response.status, await response.json()];
  };
  expect(await usage()).toEqual([
    200,
    expect.objectContaining({ credits: { used: 0, daily: 17, left: 17 }, methods: {}, refused: {}, days: [] }),
  ]);
  for (const method of ['eth_chainId', 'eth_chainId', 'eth_accounts', 'eth_chainId']) await post(ask(method), { key });
  const [status, report] = await usage();
  expect([status, report]).toEqual([
    200,
    {
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/u) as string,
      credits: { used: 15, daily: 17, left: 2 },
      lastSeen: expect.any(String) as string,
      pins: null,
      methods: { eth_chainId: { requests: 3, credits: 10 }, unknown: { requests: 1, credits: 5 } },
      refused: { credits: 1, malformed: 1 },
      days: [expect.objectContaining({ requests: 4, credits: 15, refused: 2 })],
    },
  ]);
  expect(logged()).not.toContain(key);
  expect(await metrics()).toContain('keystead_rpc_key_credits_total');
});

test('nobody else sees it: not an unknown key, a page of another origin, or a flood', async () => {
  const { url, keys, key } = await startService({ rpc: { limits: { keyPerSecond: 1, keyBurst: perRun(3, 30) } } });
  const get = (sent: string, init: RequestInit = {}) => fetch(`${url}/v3/${sent}/usage`, init);
  expect((await get('nobody')).status).toBe(401);
  const page = await keys.create({ limits: { origins: ['https://app.example'] } });
  expect((await get(page.key)).status).toBe(403);
  expect((await get(page.key, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await get(page.key, { headers: { origin: 'https://app.example' } })).status).toBe(200);
  const posted = await get(key.key, { method: 'POST', body: '{}' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
  const flood = await Promise.all(Array.from({ length: perRun(5, 50) }, () => get(key.key)));
  expect(flood.map(({ status }) => status)).toContain(429);
  await keys.revoke(key.key);
  expect((await get(key.key)).status).toBe(401);
});

test('the metrics of keys never fall, and name two hundred keys at most', async () => {
  const registry = new Registry();
  const meter = meterKeys(rpcMetrics(registry));
  const use = (id: string, credits: number) => {
    const counts = emptyCounts();
    counts.credits.set('eth_call', credits);
    meter({ user: { id, name: 'shop' }, day: '2026-11-01', counts, state: {} });
  };
  const total = async (key: string) =>
    Number(
      new RegExp(`^keystead_rpc_key_credits_total\\{key="${key}"\\} (\\d+)$`, 'mu').exec(await registry.metrics())?.[1],
    );
  use('abcdefgh', 80);
  use('abcdefgh', -50);
  expect(await total('shop abcdefgh')).toBe(80);
  use('abcdefgh', 60);
  expect(await total('shop abcdefgh')).toBe(90);
  for (let n = 0; n < 250; n++) use(`key ${n}`, 1);
  expect(await total('others')).toBe(51);
});
