import { startKeyring } from '../../helpers/simulated-snap';
import { FAULTS, SimulatedWallet } from '../../helpers/simulated-wallet';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const PAGE = 'http://localhost:8000';

describe('deleting at the request of a page', () => {
  it('asks where a key would be lost, and keeps the account when refused', async () => {
    const wallet = new SimulatedWallet();
    const { id } = await startKeyring({ wallet }).keyring.createAccount({ privateKey: KEY });
    await expect(startKeyring({ wallet, origin: PAGE, consents: false }).keyring.deleteAccount(id)).rejects.toThrow(
      'refused',
    );
    expect(wallet.stored.has(id)).toBe(true);
    await startKeyring({ wallet, origin: PAGE }).keyring.deleteAccount(id);
    expect(wallet.stored.has(id)).toBe(false);
  });

  it('does not ask for a derived account, which can be created again', async () => {
    const wallet = new SimulatedWallet();
    const { id } = await startKeyring({ wallet }).keyring.createAccount({});
    wallet.heal();
    await startKeyring({ wallet, origin: PAGE }).keyring.deleteAccount(id);
    expect(wallet.calls).not.toContain('consent');
    expect(wallet.stored.size).toBe(0);
  });
});

describe('deleting, with one call going wrong', () => {
  it('never leaves the wallet with an account that we lack, and completes when repeated', async () => {
    const probe = new SimulatedWallet();
    const { id } = await startKeyring({ wallet: probe }).keyring.createAccount({});
    probe.heal();
    await startKeyring({ wallet: probe }).keyring.deleteAccount(id);
    const calls = [...probe.calls];
    for (let at = 0; at < calls.length; at++) {
      for (const fault of FAULTS) {
        const wallet = new SimulatedWallet();
        await startKeyring({ wallet }).keyring.createAccount({});
        await new Promise<void>((resolve) => {
          wallet.failAt(at, fault, resolve);
          startKeyring({ wallet })
            .keyring.deleteAccount(id)
            .then(resolve, () => {
              resolve();
            });
        });
        wallet.heal();
        for (const known of wallet.known.keys()) expect(wallet.stored.has(known)).toBe(true);
        await startKeyring({ wallet }).keyring.deleteAccount(id);
        expect([wallet.known.size, wallet.stored.size]).toEqual([0, 0]);
      }
    }
  });
});
