import { StorageClient } from '../../../../src/clients/storage';
import { contentOf, expectAll } from '../../../support/storage/content';
import { startResettingProxy } from '../../../support/storage/resetting-proxy';
import { startBucket } from '../../../support/storage/s3';
import { noBucket } from '../../../support/storage/s3-process';
import { startTestService } from '../../../support/storage/service';

const maybe = noBucket === undefined ? describe : describe.skip;

maybe(`a bucket that fails${noBucket === undefined ? '' : ` (${noBucket})`}`, () => {
  test('with one connection in five reset, each of 40 adds succeeds, and what they added is whole', async () => {
    const bucket = await startBucket();
    const { endpoint, counts } = await startResettingProxy(bucket.endpoint, 0.2);
    const service = await startTestService({ shared: await bucket.open({ endpoint }) });
    const client = new StorageClient({ url: service.url });
    const acknowledged = new Map<number, string>();
    for (let number = 0; number < 40; number++) acknowledged.set(number, (await client.add(contentOf(number))).cid);
    expect(counts.resets).toBeGreaterThan(counts.requests / 10);
    await expectAll(service.url, acknowledged);
    expect(service.warnings).toEqual([]);
    await service.discard();
  });

  test('an add, a read and the gateway answer 503 with Retry-After while it is gone, and recover', async () => {
    const bucket = await startBucket();
    const service = await startTestService({
      shared: await bucket.open(),
      gateway: { host: '127.0.0.1', port: 0, requests: 4, requestsPerAddress: 4, stallSeconds: 30, carBlocks: 1000 },
    });
    const client = new StorageClient({ url: service.url });
    const { cid } = await client.add(contentOf(1));
    const ask = async () => {
      const form = new FormData();
      form.append('file', new Blob([contentOf(2) as Uint8Array<ArrayBuffer>]), 'f');
      const answers = await Promise.all([
        fetch(`${service.url}/api/v0/add`, { method: 'POST', body: form }),
        fetch(`${service.url}/api/v0/cat?arg=${cid}`, { method: 'POST' }),
        fetch(`${service.gateway?.url}/ipfs/${cid}?format=raw`, {
          headers: { accept: 'application/vnd.ipld.raw' },
        }),
      ]);
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
      return answers.map(({ status, headers }) => [status, headers.get('retry-after')]);
    };
    expect(await ask()).toEqual(Array(3).fill([200, null]));
    await bucket.leave();
    expect(await ask()).toEqual(Array(3).fill([503, '2']));
    await bucket.back();
    expect(await ask()).toEqual(Array(3).fill([200, null]));
    await service.discard();
  });
});
