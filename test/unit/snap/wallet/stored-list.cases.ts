import { type Json } from '@metamask/snaps-sdk';

import { integer } from '../../../../src/core/structs/struct';
import { StoredList } from '../../../../src/snap/wallet/state';

/** A list of numbers in a state, and the values that were written. */
function listOn(stored: Json) {
  let value = stored;
  const written: Json[] = [];
  const store = {
    read: jest.fn(() => Promise.resolve(value)),
    write: async (_key: string, next: Json) => {
      await Promise.resolve();
      value = next;
      written.push(next);
    },
  };
  return { list: new StoredList(store, 'numbers', integer()), store, written };
}

describe('a stored list', () => {
  it.each<[Json, number[]]>([
    [null, []],
    ['text', []],
    [{ 0: 1 }, []],
    [[], []],
    [
      [1, 'two', null, 3, 1.5],
      [1, 3],
    ],
  ])('in %j has the readable entries', async (stored, entries) => {
    expect(await listOn(stored).list.read()).toEqual(entries);
  });

  it('is read once', async () => {
    const { list, store } = listOn([1]);
    await Promise.all([list.read(), list.read()]);
    await list.change((entries) => [...entries, 2]);
    expect(await list.read()).toEqual([1, 2]);
    expect(store.read).toHaveBeenCalledTimes(1);
  });

  it('loses no change of several at once', async () => {
    const { list, written } = listOn(null);
    await Promise.all([1, 2, 3].map((number) => list.change((entries) => [...entries, number])));
    expect(written).toEqual([[1], [1, 2], [1, 2, 3]]);
  });

  it('is not written if the change gives the list back', async () => {
    const { list, written } = listOn([1]);
    await list.change((entries) => entries);
    expect(written).toEqual([]);
  });

  it('is read again after writing failed, and the next change is made', async () => {
    const { list, store } = listOn([1]);
    const write = jest.spyOn(store, 'write').mockRejectedValueOnce(new Error('full'));
    await expect(list.change(() => [7])).rejects.toThrow('full');
    expect(await list.read()).toEqual([1]);
    await list.change((entries) => [...entries, 2]);
    expect(await list.read()).toEqual([1, 2]);
    expect(write).toHaveBeenCalledTimes(2);
  });
});
