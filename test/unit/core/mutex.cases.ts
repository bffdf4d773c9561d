import { Mutex } from '../../../src/core/mutex';

describe('a mutex', () => {
  it('runs one task at a time, in order, and continues after a failure', async () => {
    const mutex = new Mutex();
    const log: string[] = [];
    const work = (name: string, fails = false) =>
      mutex.runExclusive(async () => {
        log.push(`${name} begins`);
        await Promise.resolve();
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const all = [work('a'), work('b', true), work('c')];
    expect(log).toEqual([]);
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await all[2]).toBe('c');
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('passes a failure to the caller, even a synchronous one', async () => {
    const mutex = new Mutex();
    await expect(
      mutex.runExclusive(() => {
        throw new Error('at once');
      }),
    ).rejects.toThrow('at once');
    expect(await mutex.runExclusive(() => Promise.resolve(5))).toBe(5);
  });
});
