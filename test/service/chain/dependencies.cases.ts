import { connectRedis } from '../../../src/service/runtime/redis';
import { noRedis, startRedis } from '../../support/service/redis';
import { startService, type TestService } from '../../support/service/service';

const ready = async ({ operations }: TestService) => {
  const answer = await fetch(`${operations}/readyz`);
  return { status: answer.status, ...((await answer.json()) as object) };
};
const gauges = async (service: TestService) =>
  (await service.metrics()).split('\n').filter((line) => /^keystead_(?:ready|dependency_up)\{/u.test(line));

test('what the service needs is in its metrics, without any request', async () => {
  const service = await startService();
  expect(await gauges(service)).toEqual([
    'keystead_ready{part="chain"} 1',
    'keystead_dependency_up{dependency="sqlite",use="credits"} 1',
    'keystead_dependency_up{dependency="sqlite",use="keys"} 1',
  ]);
});

(noRedis === undefined ? test : test.skip)(
  `a Redis that may remove keys from some moment on makes a running service unready${noRedis === undefined ? '' : ` (${noRedis})`}`,
  async () => {
    const redis = await startRedis();
    const service = await startService({ ledger: 'redis', redis: { url: redis.url } });
    expect(await ready(service)).toEqual({ status: 'ok' });
    const admin = await connectRedis(redis.url, () => undefined);
    await admin.sendCommand(['CONFIG', 'SET', 'maxmemory', '64mb', 'maxmemory-policy', 'allkeys-lru']);
    expect(await ready(service)).toEqual({
      status: 'unavailable',
      problems: ['Redis may remove keys and credits: its maxmemory-policy is allkeys-lru, but must be noeviction'],
    });
    expect(await gauges(service)).toEqual([
      'keystead_ready{part="chain"} 0',
      'keystead_dependency_up{dependency="redis",use="credits"} 1',
      'keystead_dependency_up{dependency="redis",use="keys"} 1',
      'keystead_dependency_up{dependency="redis",use="noeviction"} 0',
    ]);
    await admin.sendCommand(['CONFIG', 'SET', 'maxmemory-policy', 'noeviction']);
    expect(await ready(service)).toEqual({ status: 'ok' });
    await admin.close();
  },
);
