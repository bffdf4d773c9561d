import { addSeconds } from '../../../../bench/storage/load';
import { serve, type Served } from '../../../../bench/storage/served';

describe('the servers of the benchmark', () => {
  let served: Served | undefined;
  afterEach(() => served?.stop());

  const content = new Uint8Array(300_000).fill(7);

  it.each(['true', 'false'])('have the storage service as one file in a process, durable %s', async (durable) => {
    served = await serve('serve.ts', durable);
    expect(await addSeconds(served.port, content)).toBeGreaterThan(0);
  });

  it('include the baseline', async () => {
    served = await serve('floor.ts');
    expect(await addSeconds(served.port, content)).toBeGreaterThan(0);
  });

  it('report which one did not start', async () => {
    await expect(serve('load.ts')).rejects.toThrow('bench/storage/load.ts ended with 0 before it listened');
  });
});
