import { type Json } from '@metamask/snaps-sdk';

import { Remembered, Stored } from '../../../../src/snap/wallet/state';

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

/** A part of the state whose reads and writes are those of the test, in order. */
function storedOn(reads: readonly Promise<Value>[], write: Promise<void>) {
  const left = [...reads];
  const read = () => left.shift() ?? Promise.reject(new Error('read'));
  return new Stored<Value>({ read, write: () => write }, 'part', (stored: Json) => stored as Value);
}

describe('a remembered value', () => {
  it('is read once', async () => {
    const load = jest.fn(() => Promise.resolve(OLD));
    const remembered = new Remembered<Value>(load);
    expect([await remembered.read(), await remembered.read()]).toEqual([OLD, OLD]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('is read once for all concurrent callers', async () => {
    const slow = pending<Value>();
    const load = jest.fn(() => slow.promise);
    const remembered = new Remembered<Value>(load);
    const both = Promise.all([remembered.read(), remembered.read()]);
    slow.done(OLD);
    expect(await both).toEqual([OLD, OLD]);
    expect(load).toHaveBeenCalledTimes(1);
    expect(remembered.known).toBe(OLD);
  });

  it('is read again after a change, even if an older read is still running', async () => {
    const [before, after] = [pending<Value>(), pending<Value>()];
    const loads = [before.promise, after.promise];
    const remembered = new Remembered<Value>(() => loads.shift()!);
    const first = remembered.read();
    remembered.set();
    const second = remembered.read();
    after.done(NEW);
    before.done(OLD);
    expect(await Promise.all([first, second])).toEqual([OLD, NEW]);
    expect(remembered.known).toBe(NEW);
  });

  it('is read again after a failed read', async () => {
    const loads = [Promise.reject(new Error('down')), Promise.resolve(OLD)];
    const remembered = new Remembered<Value>(() => loads.shift()!);
    await expect(remembered.read()).rejects.toThrow('down');
    expect(await remembered.read()).toBe(OLD);
  });
});

describe('a part of the state', () => {
  it('is what was written, not the result of an earlier read', async () => {
    const [slowRead, write] = [pending<Value>(), pending<undefined>()];
    const stored = storedOn([slowRead.promise], write.promise);
    const reading = stored.read();
    const writing = stored.write(NEW);
    write.done(undefined);
    await writing;
    slowRead.done(OLD);
    expect(await reading).toBe(OLD);
    expect(await stored.read()).toBe(NEW);
  });

  it('is read during a write without caching the result', async () => {
    const write = pending<undefined>();
    const stored = storedOn([Promise.resolve(OLD)], write.promise);
    const writing = stored.write(NEW);
    expect(await stored.read()).toBe(OLD);
    write.done(undefined);
    await writing;
    expect(stored.known).toBe(NEW);
  });

  it('is not known after a failed write', async () => {
    const stored = storedOn([], Promise.reject(new Error('down')));
    stored.set(OLD);
    await expect(stored.write(NEW)).rejects.toThrow('down');
    expect(stored.known).toBeUndefined();
  });

  it('is not known from a read during a failed write', async () => {
    const write = pending<undefined>();
    const stored = storedOn([Promise.resolve(OLD)], write.promise);
    const writing = stored.write(NEW);
    await stored.read();
    write.failed(new Error('down'));
    await expect(writing).rejects.toThrow('down');
    expect(stored.known).toBeUndefined();
  });
});
