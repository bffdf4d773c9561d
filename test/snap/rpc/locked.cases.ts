import { installForDapps } from '../../support/dapp';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { walletError } from '../../support/wallet/installed';

const start = useEmptiedSnap(installForDapps);

/** A wallet that can be locked, and prompts to be unlocked when the snap reads its state. It records the reads. */
function lockable() {
  const lock = { isLocked: false, opens: true, read: [] as string[] };
  const answer = ({ method, params }: { method: string; params?: unknown }) => {
    if (method === 'snap_getClientStatus') return { locked: lock.isLocked, active: true };
    if (method !== 'snap_getState' || !lock.isLocked) return undefined;
    lock.read.push((params as { key: string }).key);
    if (!lock.opens) throw walletError('User rejected the request.');
    lock.isLocked = false;
    return undefined;
  };
  return { lock, answer };
}

describe('a locked wallet', () => {
  it('is unlocked before MetaMask gets cached data; if it stays locked, the error is 4100', async () => {
    const { lock, answer } = lockable();
    const { call, create } = await start({ answer });
    const account = await create();
    expect((await call('keyring_listAccounts')).result).toEqual([account]);
    lock.isLocked = true;
    expect((await call('keyring_listAccounts')).result).toEqual([account]);
    expect(lock).toEqual({ read: ['version'], isLocked: false, opens: true });
    Object.assign(lock, { isLocked: true, opens: false });
    for (const [method, params] of [
      ['keyring_listAccounts', undefined],
      ['keyring_getAccount', { id: account.id }],
      ['keystead_getChains', undefined],
    ] as const) {
      const { result, error } = await call(method, params);
      expect({ result, code: error?.code }).toEqual({ result: undefined, code: 4100 });
    }
  });

  it('is unlocked before a connecting site gets cached data; no other request of a site unlocks it', async () => {
    const { lock, answer } = lockable();
    const { ask, create, connect } = await start({ answer });
    const { address } = await create();
    expect(await connect()).toEqual([address]);
    lock.isLocked = true;
    expect((await ask('eth_accounts')).result).toEqual([]);
    expect((await ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])).error).toMatchObject({ code: 4100 });
    expect(lock.read).toEqual([]);
    expect((await ask('eth_requestAccounts')).result).toEqual([address]);
    expect(lock).toEqual({ read: ['version'], isLocked: false, opens: true });
    Object.assign(lock, { isLocked: true, opens: false });
    expect((await ask('eth_requestAccounts')).error).toMatchObject({ code: 4100 });
  });
});
