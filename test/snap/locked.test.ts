import { installForDapps } from '../helpers/dapp';
import { installKeystead, walletError } from '../helpers/installed-snap';

describe('a locked wallet', () => {
  it('is unlocked before MetaMask is told what is in memory; if it stays locked, 4100', async () => {
    let [isLocked, opens] = [false, true];
    const read: string[] = [];
    const { call, create } = await installKeystead({
      answer: ({ method, params }) => {
        if (method === 'snap_getClientStatus') return { locked: isLocked, active: true };
        if (method !== 'snap_getState' || !isLocked) return undefined;
        read.push((params as { key: string }).key);
        if (!opens) throw walletError('User rejected the request.');
        isLocked = false;
        return undefined;
      },
    });
    const account = await create();
    expect((await call('keyring_listAccounts')).result).toEqual([account]);
    isLocked = true;
    expect((await call('keyring_listAccounts')).result).toEqual([account]);
    expect({ read, isLocked }).toEqual({ read: ['version'], isLocked: false });
    [isLocked, opens] = [true, false];
    for (const [method, params] of [
      ['keyring_listAccounts', undefined],
      ['keyring_getAccount', { id: account.id }],
      ['keystead_getChains', undefined],
    ] as const) {
      const { result, error } = await call(method, params);
      expect({ result, code: error?.code }).toEqual({ result: undefined, code: 4100 });
    }
  });

  it('is unlocked before a site that wants to connect is told what is in memory; nothing else a site asks unlocks it', async () => {
    let [isLocked, opens] = [false, true];
    const read: string[] = [];
    const { ask, create, connect } = await installForDapps({
      answer: ({ method, params }) => {
        if (method === 'snap_getClientStatus') return { locked: isLocked, active: true };
        if (method !== 'snap_getState' || !isLocked) return undefined;
        read.push((params as { key: string }).key);
        if (!opens) throw walletError('User rejected the request.');
        isLocked = false;
        return undefined;
      },
    });
    const { address } = await create();
    expect(await connect()).toEqual([address]);
    isLocked = true;
    expect((await ask('eth_accounts')).result).toEqual([]);
    expect((await ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])).error).toMatchObject({ code: 4100 });
    expect(read).toEqual([]);
    expect((await ask('eth_requestAccounts')).result).toEqual([address]);
    expect({ read, isLocked }).toEqual({ read: ['version'], isLocked: false });
    [isLocked, opens] = [true, false];
    expect((await ask('eth_requestAccounts')).error).toMatchObject({ code: 4100 });
  });
});
