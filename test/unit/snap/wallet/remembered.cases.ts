import { Remembered } from '../../../../src/snap/wallet/remembered';

type Value = { readonly name: string };
const [OLD, NEW]: [Value, Value] = [{ name: 'old' }, { name: 'new' }];

/** A read or write that ends on demand. */
function pending<T>() {
  let [done, failed]: [(value: T) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((resolve, reject) => {
    [done, failed] = [resolve, reject];
  });
  return { promise, done, failed };
}

describe('Remembered', () => {
  it('reads once', async () => {
    const remembered = new Remembered<Value>();
    const read = jest.fn(() => Promise.resolve(OLD));
    expect([await remembered.get(read), await remembered.get(read)]).toEqual([OLD, OLD]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads once for all concurrent callers', async () => {
    const remembered = new Remembered<Value>();
    const slow = pending<Value>();
    const read = jest.fn(() => slow.promise);
    const both = Promise.all([remembered.get(read), remembered.get(read)]);
    slow.done(OLD);
    expect(await both).toEqual([OLD, OLD]);
    expect(read).toHaveBeenCalledTimes(1);
    expect(remembered.peek()).toBe(OLD);
  });

  it('reads again after a change, even if an older read is still running', async () => {
    const remembered = new Remembered<Value>();
    const [before, after] = [pending<Value>(), pending<Value>()];
    const first = remembered.get(() => before.promise);
    remembered.forget();
    const second = remembered.get(() => after.promise);
    after.done(NEW);
    before.done(OLD);
    expect(await Promise.all([first, second])).toEqual([OLD, NEW]);
    expect(remembered.peek()).toBe(NEW);
  });

  it('reads again after a failed read', async () => {
    const remembered = new Remembered<Value>();
    await expect(remembered.get(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await remembered.get(() => Promise.resolve(OLD))).toBe(OLD);
  });

  it('keeps the written value, not the result of an earlier read', async () => {
    const remembered = new Remembered<Value>();
    const [slowRead, write] = [pending<Value>(), pending<undefined>()];
    const reading = remembered.get(() => slowRead.promise);
    const writing = remembered.set(NEW, () => write.promise);
    write.done(undefined);
    await writing;
    slowRead.done(OLD);
    expect(await reading).toBe(OLD);
    expect(await remembered.get(() => Promise.reject(new Error('read')))).toBe(NEW);
  });

  it('reads during a write without caching the result', async () => {
    const remembered = new Remembered<Value>();
    const write = pending<undefined>();
    const writing = remembered.set(NEW, () => write.promise);
    expect(await remembered.get(() => Promise.resolve(OLD))).toBe(OLD);
    write.done(undefined);
    await writing;
    expect(remembered.peek()).toBe(NEW);
  });

  it('is empty after a failed write', async () => {
    const remembered = new Remembered<Value>();
    remembered.put(OLD);
    await expect(remembered.set(NEW, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(remembered.peek()).toBeUndefined();
  });

  it('caches nothing that was read during a failed write', async () => {
    const remembered = new Remembered<Value>();
    const write = pending<undefined>();
    const writing = remembered.set(NEW, () => write.promise);
    await remembered.get(() => Promise.resolve(OLD));
    write.failed(new Error('down'));
    await expect(writing).rejects.toThrow('down');
    expect(remembered.peek()).toBeUndefined();
  });
});
