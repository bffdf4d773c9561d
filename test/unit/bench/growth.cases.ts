import { grownLike, type Json } from '../../../bench/parts/growth';

const LIKE = { id: '5f0f6cb2-5a60-4d1f-8d43-0a2f4d0b7c11', address: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23' };
const account = { id: LIKE.id, address: LIKE.address, options: {} };

const accountsOf = (state: Json): readonly { id: string; address: string }[] =>
  (state as { wallets: readonly { account: { id: string; address: string } }[] | Record<string, never> })
    .wallets as never;

describe('a state with more accounts', () => {
  it('has each under its id, with what belongs to it', () => {
    const state = { wallets: { [LIKE.id]: { account, privateKey: 'ab' } }, pending: {}, sync: true };
    const grown = grownLike(state, LIKE, 3) as unknown as typeof state;
    const all = Object.entries(grown.wallets);
    expect(all).toHaveLength(3);
    expect(grown.wallets[LIKE.id]).toStrictEqual({ account, privateKey: 'ab' });
    expect(all.every(([id, wallet]) => wallet.account.id === id && wallet.privateKey === 'ab')).toBe(true);
    expect(new Set(all.map(([, wallet]) => wallet.account.address)).size).toBe(3);
    expect(grown).toMatchObject({ pending: {}, sync: true });
  });

  it('has each in the list, wherever the list is', () => {
    const state = { keyring: { wallets: [{ account }, { account: { id: 'other' } }] } };
    const { keyring } = grownLike(state, LIKE, 100) as { keyring: Json };
    expect(accountsOf(keyring)).toHaveLength(101);
    expect(JSON.stringify(keyring).split(LIKE.id)).toHaveLength(2);
  });

  it('has each wherever the one is: as the key, as the record and as a name', () => {
    const state = {
      byId: { [LIKE.id]: 1 },
      all: [account],
      names: [LIKE.id],
      lower: { a: LIKE.address.toLowerCase() },
    };
    const grown = grownLike(state, LIKE, 10) as unknown as typeof state;
    expect(Object.keys(grown.byId)).toHaveLength(10);
    expect(grown.all).toHaveLength(10);
    expect(new Set(grown.names).size).toBe(10);
    expect(grown.lower).toStrictEqual(state.lower);
  });

  it.each([null, {}, { accounts: [] }, 'text'])('is as it was where the account is not in it: %j', (state) => {
    expect(grownLike(state, LIKE, 5)).toStrictEqual(state);
  });
});
