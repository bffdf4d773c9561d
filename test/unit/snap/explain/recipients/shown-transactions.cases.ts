import { type Json } from '@metamask/snaps-sdk';

import { type Hex } from '../../../../../src/core/eth/bytes';
import {
  shownTransaction,
  ShownTransactionRepository,
} from '../../../../../src/snap/explain/recipients/shown-transactions';
import { callHash } from '../../../../../src/core/eth/transaction-call';
import { memoryStore } from '../../../../support/memory-store';

const address = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`;
const ME = address(0xaa);

const shown = (to: Hex, { chainId = 1n, nonce = 0n, shownAt = 1, from = ME, recipients = [to] } = {}) =>
  shownTransaction({ from, to, value: 1n, data: '0x' }, chainId, { nonce, block: 100n }, recipients, shownAt);

describe('the hash of a call', () => {
  it('is the same for the same call in any spelling, and for no other', () => {
    const call = { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 1n, data: '0xAB' } as const;
    expect(callHash({ ...call, to: call.to.toLowerCase() as Hex, data: '0xab' })).toBe(callHash(call));
    const others = [
      { ...call, to: ME },
      { ...call, to: null },
      { ...call, value: 2n },
      { ...call, data: '0xab00' as const },
    ];
    expect(new Set([call, ...others].map(callHash)).size).toBe(5);
  });
});

describe('the transactions that were shown', () => {
  it('are kept, the most recent first, and outlast a restart', async () => {
    const store = memoryStore();
    const repository = new ShownTransactionRepository(store);
    await repository.add(shown(address(1)));
    await repository.add(shown(address(2)));
    for (const one of [repository, new ShownTransactionRepository(store)])
      expect((await one.read()).map(({ recipients }) => recipients)).toEqual([[address(2)], [address(1)]]);
  });

  it('are each kept once, as they were shown last', async () => {
    const repository = new ShownTransactionRepository(memoryStore());
    await repository.add(shown(address(1), { nonce: 1n }));
    await repository.add(shown(address(1), { nonce: 2n }));
    expect((await repository.read()).map(({ nonce }) => nonce)).toEqual(['0x2']);
    await repository.add(shown(address(1), { chainId: 10n }));
    await repository.add(shown(address(1), { from: address(0xbb) }));
    expect(await repository.read()).toHaveLength(3);
  });

  it('are at most 50, each with at most 50 recipients, however many a page requests', async () => {
    const repository = new ShownTransactionRepository(memoryStore());
    const recipients = Array.from({ length: 300 }, (_, n) => address(n));
    for (let n = 0; n < 60; n++) await repository.add(shown(address(n), { recipients }));
    const all = await repository.read();
    expect(all).toHaveLength(50);
    expect(all[0]?.recipients).toEqual(recipients.slice(0, 50));
    expect(all[0]?.call).toBe(shown(address(59)).call);
  });

  it('are removed one by one, unless they were shown again', async () => {
    const store = memoryStore();
    const repository = new ShownTransactionRepository(store);
    await repository.add(shown(address(1)));
    await repository.add(shown(address(2)));
    const [two, one] = await repository.read();
    await repository.add(shown(address(1), { shownAt: 2 }));
    await repository.remove(one!);
    await repository.remove(two!);
    expect((await repository.read()).map(({ shownAt }) => shownAt)).toEqual([2]);
    await repository.clear();
    expect(store.state.shown).toEqual([]);
  });

  it('are read without those that cannot be read', async () => {
    const sound = shown(address(1));
    for (const [stored, expected] of [
      ['garbage', []],
      [{ 0: sound }, []],
      [[5, { ...sound, nonce: -1 }, { ...sound, extra: 1 }, { ...sound, recipients: ['0x1'] }, sound], [sound]],
    ] as const)
      expect(await new ShownTransactionRepository(memoryStore({ shown: stored as unknown as Json })).read()).toEqual(
        expected,
      );
  });
});
