import { Counter, Registry } from 'prom-client';
import { JoinedRegistry } from '../../../../src/service/runtime/joined-registry';
import { post, send } from '../../../support/storage/requests';
import { ask, type GatewayService, startTestGateway } from '../gateway/kit';

describe('the metrics of storage', () => {
  const metrics = new Registry();
  let service: GatewayService;
  beforeAll(async () => {
    service = await startTestGateway({}, { metrics });
  });
  afterAll(() => service.discard());

  /** The values by name and labels, as Prometheus reads them. */
  const read = async () => {
    const lines = (await metrics.metrics()).matchAll(/^keystead_storage_(\S+) (\S+)$/gmu);
    return new Map([...lines].map(([, name = '', value = '']) => [name, Number(value)]));
  };
  /** Scrapes until a value is there: the store is measured beside the scrapes, and answers count once they are read. */
  const until = async (name: string, value: number) => {
    let seen = await read();
    while (seen.get(name) !== value) {
      await new Promise(setImmediate);
      seen = await read();
    }
    return seen;
  };

  test('count requests by command and status, their bytes, what is stored, and collections', async () => {
    const content = Buffer.alloc(5000, 'x');
    const added = await send(service, 'add', { content, filename: 'f' });
    const { Hash: cid } = JSON.parse(added.body.toString()) as { Hash: string };
    await send(service, 'add?pin=false', { content: 'garbage', filename: 'f' });
    expect((await post(service, `cat?arg=${cid}`)).body.length).toBe(5000);
    expect((await post(service, 'cat')).status).toBe(400);
    expect((await post(service, 'no/such/command')).status).toBe(404);
    expect((await ask(service, `/ipfs/${cid}?format=raw`)).status).toBe(200);
    expect((await ask(service, `/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG?format=raw`)).status).toBe(404);
    await post(service, 'repo/gc');
    const seen = await until('requests_total{listener="api",command="repo/gc",status="200"}', 1);
    const counted = (listener: string, command: string, status: string) =>
      seen.get(`requests_total{listener="${listener}",command="${command}",status="${status}"}`);
    expect([
      counted('api', 'add', '200'),
      counted('api', 'cat', '200'),
      counted('api', 'cat', '400'),
      counted('api', 'none', '404'),
      counted('gateway', 'content', '200'),
      counted('gateway', 'content', '404'),
    ]).toEqual([2, 1, 1, 1, 1, 1]);
    expect(seen.get('received_bytes_total{listener="api"}')).toBeGreaterThan(5000);
    expect(seen.get('sent_bytes_total{listener="api"}')).toBeGreaterThan(5000);
    expect(seen.get('sent_bytes_total{listener="gateway"}')).toBeGreaterThan(5000);
    expect(seen.get('request_seconds_count{listener="api",command="add"}')).toBe(2);
    expect(seen.get('collections_total{outcome="done"}')).toBe(1);
    expect(seen.get('collected_blocks_total')).toBe(1);
    expect(seen.get('collection_seconds_total')).toBeGreaterThan(0);
    expect((await until('pins', 1)).get('blocks')).toBe(1);
    expect((await read()).get('block_bytes')).toBeGreaterThan(5000);
  });

  test('count answers that broke off, and no key or CID is a label', async () => {
    const chunks = Buffer.concat(['a', 'b'].map((letter) => Buffer.alloc(256 << 10, letter)));
    const added = await send(service, 'add?pin=false', { content: chunks, filename: 'f' });
    const { Hash: cid } = JSON.parse(added.body.toString()) as { Hash: string };
    const { body } = await post(service, `object/links?arg=${cid}`);
    const last = (JSON.parse(body.toString()) as { Links: { Hash: string }[] }).Links[1]?.Hash ?? '';
    await post(service, `block/rm?arg=${last}`);
    expect((await post(service, `cat?arg=${cid}`)).trailers['X-Stream-Error']).toMatch(/not found/u);
    await until('errors_total{listener="api",kind="broken"}', 1);
    expect(await metrics.metrics()).not.toMatch(/"(?:Qm|baf)/u);
  });
});

test('the metrics of a thread are added to those of the process', async () => {
  const [process_, thread] = [new JoinedRegistry(), new Registry()];
  const count = (registry: Registry, name: string, labels: Record<string, string>, value: number) => {
    const known = registry.getSingleMetric(name) as Counter | undefined;
    (known ?? new Counter({ name, help: 'x', labelNames: Object.keys(labels), registers: [registry] })).inc(
      labels,
      value,
    );
  };
  count(process_, 'shared_total', { of: 'process' }, 1);
  count(thread, 'shared_total', { of: 'thread' }, 2);
  count(thread, 'own_total', {}, 3);
  process_.join(() => thread.getMetricsAsJSON());
  const text = await process_.metrics();
  expect(
    text
      .split('\n')
      .filter((line) => /^[^#]/u.test(line))
      .sort(),
  ).toEqual(['own_total 3', 'shared_total{of="process"} 1', 'shared_total{of="thread"} 2']);
  expect(text.match(/^# TYPE shared_total/gmu)).toHaveLength(1);
});
