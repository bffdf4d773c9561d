import { type Hex } from '../../../../../src/core/eth/bytes';
import { RecipientRepository, type Signed } from '../../../../../src/snap/explain/recipients/repository';
import { memoryStore } from '../../../../support/memory-store';

const address = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`;
const signedAt = (at: number): Signed => ({ at, origin: 'https://dapp.example', method: 'personal_sign' });

describe('what accounts signed', () => {
  it('is kept for each account in one write with its recipients, and reported with the most recent first', async () => {
    const store = memoryStore();
    const recipients = new RecipientRepository(store);
    await recipients.remember(address(1), [address(9)], signedAt(1));
    await recipients.remember(address(2), [], { ...signedAt(3), chainId: 'eip155:1', hash: `0x${'ab'.repeat(32)}` });
    await recipients.remember(address(1), [], signedAt(2));
    expect(store.calls.filter((call) => call.startsWith('write histories'))).toHaveLength(3);
    for (const one of [recipients, new RecipientRepository(store)]) {
      expect((await one.signed()).map(({ account, at }) => [account, at])).toEqual([
        [address(2), 3],
        [address(1), 2],
        [address(1), 1],
      ]);
      expect(await one.used(address(1))).toEqual([address(9)]);
    }
  });

  it('is at most 50 signatures for each account', async () => {
    const recipients = new RecipientRepository(memoryStore());
    for (let at = 1; at <= 60; at++) await recipients.remember(address(1), [], signedAt(at));
    const kept = await recipients.signed();
    expect(kept).toHaveLength(50);
    expect([kept[0]?.at, kept.at(-1)?.at]).toEqual([60, 11]);
  });

  it('goes with its account, and is empty in a record that was made before signatures were kept', async () => {
    const store = memoryStore({ histories: { [address(1)]: { addresses: [address(9)] } } });
    const recipients = new RecipientRepository(store);
    expect(await recipients.signed()).toEqual([]);
    expect(await recipients.used(address(1))).toEqual([address(9)]);
    await recipients.remember(address(1), [], signedAt(1));
    await recipients.forget(address(1));
    expect(await recipients.signed()).toEqual([]);
  });
});
