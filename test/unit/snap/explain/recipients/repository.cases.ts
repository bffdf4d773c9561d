import { type Json } from '@metamask/snaps-sdk';

import { type Hex } from '../../../../../src/core/eth/bytes';
import { RecipientRepository } from '../../../../../src/snap/explain/recipients/repository';
import { CheckedState, damagedParts } from '../../../../../src/snap/wallet/state';
import { STORED_PARTS } from '../../../../../src/snap/stored-parts';
import { memoryStore } from '../../../../support/memory-store';

const address = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`;
const upperCase = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;
const ME = address(0xaa);
const OTHER = address(0xbb);

describe('the recipients of an account', () => {
  it('are its own, the most recent first, each once, and outlast a restart', async () => {
    const store = memoryStore();
    const recipients = new RecipientRepository(store);
    expect(await recipients.used(ME)).toEqual([]);
    await recipients.remember(ME, [address(1)]);
    await recipients.remember(ME, [address(0xc2), address(3)]);
    await recipients.remember(OTHER, [address(9)]);
    await recipients.remember(upperCase(ME), [address(1), upperCase(address(0xc2)), address(1)]);
    for (const one of [recipients, new RecipientRepository(store)]) {
      expect(await one.used(ME)).toEqual([address(1), address(0xc2), address(3)]);
      expect(await one.used(upperCase(OTHER))).toEqual([address(9)]);
    }
  });

  it('are written only if they change', async () => {
    const store = memoryStore();
    const recipients = new RecipientRepository(store);
    await recipients.remember(ME, []);
    await recipients.forget(ME);
    expect(store.writes).toBe(0);
    await recipients.remember(ME, [address(1)]);
    await recipients.remember(ME, [address(1)]);
    expect(store.writes).toBe(2);
    expect(store.calls.filter((call) => call.startsWith('write'))).toEqual([
      `write histories.${ME}`,
      'write historyOrder',
    ]);
  });

  it('are at most 200, and those of at most 50 accounts', async () => {
    const recipients = new RecipientRepository(memoryStore());
    for (let n = 1; n <= 50; n++) await recipients.remember(address(n), [address(1000)]);
    const many = Array.from({ length: 300 }, (_, n) => address(n));
    await recipients.remember(address(1), many);
    expect(await recipients.used(address(1))).toEqual(many.slice(0, 200));
    await recipients.remember(address(51), [address(1000)]);
    // The first account was used again, so the second is the least recent.
    expect(await recipients.used(address(2))).toEqual([]);
    expect(await recipients.used(address(1))).toHaveLength(200);
    expect(await recipients.used(address(3))).toHaveLength(1);
  });

  it('are not pushed out by one large batch', async () => {
    const recipients = new RecipientRepository(memoryStore());
    const earlier = Array.from({ length: 200 }, (_, n) => address(n + 1));
    await recipients.remember(ME, earlier);
    const batch = Array.from({ length: 200 }, (_, n) => address(n + 1001));
    await recipients.remember(ME, [address(200), ...batch]);
    expect(await recipients.used(ME)).toEqual([address(200), ...batch.slice(0, 20), ...earlier.slice(0, 179)]);
  });

  it('are forgotten with the account, and not those of others', async () => {
    const store = memoryStore();
    const recipients = new RecipientRepository(store);
    await recipients.remember(ME, [address(1)]);
    await recipients.remember(OTHER, [address(1)]);
    await recipients.forget(upperCase(ME));
    expect(await recipients.used(ME)).toEqual([]);
    expect(await recipients.used(OTHER)).toEqual([address(1)]);
    expect(JSON.stringify(store.state)).not.toContain(ME.slice(2));
  });

  it('are counted by account, and can all be forgotten', async () => {
    const store = memoryStore();
    const recipients = new RecipientRepository(store);
    await recipients.remember(ME, [address(1), address(2)]);
    await recipients.remember(OTHER, [address(1)]);
    expect(await recipients.counts()).toEqual([
      { account: OTHER, recipients: 1 },
      { account: ME, recipients: 2 },
    ]);
    await recipients.clear();
    expect(await recipients.counts()).toEqual([]);
    expect([store.state.histories, store.state.historyOrder]).toEqual([{}, []]);
  });

  it('are all kept if several requests end at once', async () => {
    const recipients = new RecipientRepository(memoryStore());
    await Promise.all([1, 2, 3].map((n) => recipients.remember(ME, [address(n)])));
    expect(await recipients.used(ME)).toEqual([address(3), address(2), address(1)]);
  });

  it('stay what is stored if they cannot be written, and the caller learns of it', async () => {
    const store = memoryStore();
    const recipients = new RecipientRepository(store);
    await recipients.remember(ME, [address(1)]);
    store.fails = true;
    await expect(recipients.remember(ME, [address(2)])).rejects.toThrow('no');
    expect(await recipients.used(ME)).toEqual([address(1)]);
    store.fails = false;
    await recipients.remember(ME, [address(2)]);
    expect(await recipients.used(ME)).toEqual([address(2), address(1)]);
  });
});

describe('the cost of a record', () => {
  const full = {
    addresses: Array.from({ length: 200 }, (_, n) => address(n + 1)),
    signed: Array.from({ length: 50 }, (_, at) => ({ at, origin: 'https://dapp.example', method: 'personal_sign' })),
  };

  it('does not depend on the histories of other accounts', async () => {
    const others = Array.from({ length: 49 }, (_, n) => address(n + 0x1000));
    const calls: string[][] = [];
    for (const accounts of [[ME], [ME, ...others]]) {
      const histories = Object.fromEntries(accounts.map((account) => [account, full]));
      const store = memoryStore({ version: 2, histories, historyOrder: accounts });
      const recipients = new RecipientRepository(new CheckedState(store, STORED_PARTS));
      await recipients.remember(ME, [address(1)], { at: 99, origin: 'https://dapp.example', method: 'personal_sign' });
      await recipients.remember(ME, [address(2)]);
      calls.push(store.calls);
    }
    expect(calls[1]).toEqual(calls[0]);
    expect(calls[0]).toEqual([
      'read version',
      `read histories.${ME}`,
      'read historyOrder',
      `write histories.${ME}`,
      `write histories.${ME}`,
    ]);
  });
});

describe('a record that is taken back', () => {
  it('leaves what was there before, and what was recorded since', async () => {
    const recipients = new RecipientRepository(memoryStore());
    const signed = (at: number) => ({ at, origin: 'https://dapp.example', method: 'personal_sign' });
    await recipients.remember(ME, [address(1)], signed(1));
    const takeBack = await recipients.remember(ME, [address(1), address(2)], signed(2));
    await recipients.remember(ME, [address(3)], signed(3));
    await takeBack();
    expect(await recipients.used(ME)).toEqual([address(3), address(1)]);
    expect((await recipients.signed()).map(({ at }) => at)).toEqual([3, 1]);
  });
});

describe('damaged recipients', () => {
  const sound = { addresses: [address(1)] };

  it.each<[string, Json]>([
    ['text', 'garbage'],
    ['a number', 5],
    ['a list', [{ account: ME, addresses: [address(1)] }]],
  ])('that are %s count as none, and are named and copied before they are replaced', async (_what, histories) => {
    const store = memoryStore({ histories });
    expect(await damagedParts(store, STORED_PARTS)).toContain('histories');
    const repository = new RecipientRepository(new CheckedState(store, STORED_PARTS));
    expect(await repository.used(ME)).toEqual([]);
    await repository.remember(ME, [address(2)]);
    expect(await repository.used(ME)).toEqual([address(2)]);
    expect(store.state.damaged).toEqual([{ part: 'histories', stored: histories }]);
    expect(await damagedParts(store, STORED_PARTS)).not.toContain('histories');
  });

  it.each<[string, Json]>([
    ['no object', 5],
    ['no list of addresses', { addresses: address(1) }],
    ['an address that is none', { addresses: ['0x1'] }],
    ['more than belongs there', { addresses: [], extra: 1 }],
  ])(
    'of one account, with %s, are copied before they are replaced, and do not affect another',
    async (_what, entry) => {
      const store = memoryStore({ histories: { [OTHER]: entry, [ME]: sound }, historyOrder: [OTHER, ME] });
      expect(await damagedParts(store, STORED_PARTS)).toContain('histories');
      const repository = new RecipientRepository(new CheckedState(store, STORED_PARTS));
      expect(await repository.used(ME)).toEqual([address(1)]);
      expect(await repository.used(OTHER)).toEqual([]);
      expect((await repository.counts()).map(({ account }) => account)).toEqual([ME]);
      await repository.remember(OTHER, [address(2)]);
      expect(store.state.damaged).toEqual([{ part: 'histories', stored: { [OTHER]: entry } }]);
    },
  );

  it('in their order alone lose no history', async () => {
    const store = memoryStore({ histories: { [ME]: sound }, historyOrder: 'garbage' });
    const repository = new RecipientRepository(new CheckedState(store, STORED_PARTS));
    expect(await repository.counts()).toEqual([{ account: ME, recipients: 1 }]);
    await repository.forget(ME);
    expect(await repository.counts()).toEqual([]);
  });

  it('are not reported where there are none', async () => {
    expect(await damagedParts(memoryStore({ version: 2, histories: { [ME]: sound } }), STORED_PARTS)).not.toContain(
      'histories',
    );
    expect(
      await damagedParts(memoryStore({ version: 2 }), new Map([['histories', STORED_PARTS.get('histories')!]])),
    ).toEqual([]);
  });
});
