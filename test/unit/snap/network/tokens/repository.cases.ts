import { type Json } from '@metamask/snaps-sdk';

import { TokenRepository } from '../../../../../src/snap/network/tokens/repository';

const TST = { symbol: 'TST', decimals: 4 };
const addressAt = (index: number): `0x${string}` => `0x${index.toString(16).padStart(40, '0')}`;

const storeOf = (initial: Json = null) => {
  let stored = initial;
  return {
    read: () => Promise.resolve(stored),
    write: (_key: string, value: Json) => {
      stored = value;
      return Promise.resolve();
    },
  };
};

describe('watched tokens', () => {
  it('are kept by network and address, in any case', async () => {
    const store = storeOf();
    await new TokenRepository(store).put('eip155:1', '0x00000000000000000000000000000000000000aA', TST);
    const tokens = new TokenRepository(store);
    expect(await tokens.find(1n, '0x00000000000000000000000000000000000000Aa')).toEqual(TST);
    expect(await tokens.find(10n, '0x00000000000000000000000000000000000000aa')).toBeUndefined();
    await tokens.put('eip155:1', '0x00000000000000000000000000000000000000aa', { ...TST, symbol: 'NEW' });
    expect(await tokens.read()).toMatchObject([{ symbol: 'NEW' }]);
    await tokens.remove(1n, '0x00000000000000000000000000000000000000AA');
    expect(await tokens.read()).toEqual([]);
  });

  it('are at most 200: the oldest is dropped', async () => {
    const tokens = new TokenRepository(storeOf());
    for (let index = 0; index <= 200; index++) await tokens.put('eip155:1', addressAt(index), TST);
    expect(await tokens.read()).toHaveLength(200);
    expect([await tokens.find(1n, addressAt(0)), await tokens.find(1n, addressAt(1))]).toEqual([undefined, TST]);
  });

  it('that cannot be read are dropped', async () => {
    const good = { chainId: 'eip155:1', address: addressAt(1), ...TST };
    expect(await new TokenRepository(storeOf([{ ...good, decimals: '4' }, good, null])).read()).toEqual([good]);
    expect(await new TokenRepository(storeOf('damaged')).read()).toEqual([]);
  });
});
