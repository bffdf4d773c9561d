import { type Fault } from '../support/wallet/faults';
import { after, furnished, type Furnished, KEY, SMART, TO } from '../support/whole-snap/fixture';
import { COMPANION } from '../support/wallet/program';
import { DAPP, OTHER, SnapInProcess } from '../support/wallet/in-process';
import { type WalletDouble } from '../support/wallet/wallet-double';

let there: Furnished;
beforeAll(async () => {
  there = await furnished();
});

/** The calls of the snap, and its error, if any. */
async function run(
  world: WalletDouble,
  work: (session: SnapInProcess) => Promise<unknown>,
  at = -1,
  fault: Fault = 'fails',
) {
  const session = new SnapInProcess(world);
  world.plan({ at, fault });
  const error = await work(session).then(
    () => undefined,
    (failure: unknown) => failure as { code: number; message: string; data: { code: string } },
  );
  return { calls: [...world.calls], error };
}

describe('regressions found by fault injection', () => {
  it('a site is connected atomically: with its chain, or not at all', async () => {
    const connect = (session: SnapInProcess) => session.dapp('eth_requestAccounts', [], OTHER);
    const { calls } = await run(there.world.clone(), connect);
    expect(calls.filter((call) => call === 'snap_setState grants')).toHaveLength(1);
    const world = there.world.clone();
    await run(world, connect, calls.indexOf('snap_setState grants'));
    expect(world.read('grants')).toEqual(there.world.read('grants'));
    const connected = await after(there.world, connect);
    expect(connected.read('grants')).toMatchObject({ [OTHER]: { chainId: 'eip155:31337' } });
  });

  it('a read that fails after a change does not say that nothing was changed', async () => {
    const remove = (session: SnapInProcess) => session.keyring('keyring_deleteAccount', { id: there.accounts.eoa.id });
    const { calls } = await run(there.world.clone(), remove);
    const world = there.world.clone();
    const { error } = await run(world, remove, calls.lastIndexOf('snap_getState accounts'));
    expect(world.read('grants')).not.toEqual(there.world.read('grants'));
    expect(error).toMatchObject({
      data: { code: 'state-damaged' },
      message: 'The wallet could not read the data that Keystead has stored. Try again.',
    });
  });

  it('a page that the wallet does not update gives a readable error', async () => {
    const disconnect = (session: SnapInProcess) =>
      session.input({ type: 'ButtonClickEvent', name: `disconnect:${DAPP}` });
    const { calls } = await run(there.world.clone(), disconnect);
    const { error } = await run(there.world.clone(), disconnect, calls.indexOf('snap_updateInterface'));
    expect(error).toMatchObject({
      data: { code: 'wallet-refused' },
      message: 'The wallet could not update the page. Open it again.',
    });
  });

  it.each(['eoa', 'smart'] as const)(
    'a node that does not return the balance of %s delays a dialog by only 3 s',
    async (kind) => {
      const { address: from } = there.accounts[kind];
      const send = (session: SnapInProcess) => session.dapp('eth_sendTransaction', [{ from, to: TO, value: '0x1' }]);
      const [world, silent] = [there.world.clone(), there.world.clone()];
      const { calls } = await run(world, send);
      const { error } = await run(silent, send, calls.indexOf('fetch eth_getBalance'), 'late');
      expect(error).toBeUndefined();
      expect(silent.clock.now - world.clock.now).toBe(3000);
    },
  );

  it('a damaged smart account does not prevent the creation of others', async () => {
    const world = there.world.clone();
    world.write(`accounts.${there.accounts.smart.id}`, 'garbage');
    const session = new SnapInProcess(world);
    const first = await session.keyring('keyring_createAccount', { options: SMART });
    expect(first).toMatchObject({ id: there.accounts.smart.id, address: there.accounts.smart.address });
    const next = await session.keyring('keyring_createAccount', { options: SMART });
    expect(next).toMatchObject({ options: { index: 1 } });
  });

  it('an imported key can be imported again if its account is damaged', async () => {
    const world = there.world.clone();
    world.write(`accounts.${there.accounts.imported.id}`, { account: 5 });
    const session = new SnapInProcess(world);
    expect(await session.keyring('keyring_createAccount', { options: { privateKey: KEY } })).toMatchObject({
      id: there.accounts.imported.id,
    });
    expect(world.state.damaged).toMatchObject([
      { part: 'accounts', stored: { [there.accounts.imported.id]: { account: 5 } } },
    ]);
  });

  it('an account that is deleted while the wallet is still adding it is on neither side', async () => {
    const world = there.world.clone();
    const session = new SnapInProcess(world);
    const { imported } = there.accounts;
    await session.keyring('keyring_deleteAccount', { id: imported.id });
    let letGo: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      world.order = async (call) => {
        if (call !== 'snap_manageAccounts notify:accountCreated') return;
        resolve();
        await new Promise<void>((go) => (letGo = go));
      };
    });
    const creation = session.keyring('keyring_createAccount', { options: { privateKey: KEY } });
    await asked;
    await session.keyring('keyring_deleteAccount', { id: imported.id }, COMPANION);
    letGo();
    await expect(creation).rejects.toThrow('The wallet added the account and then deleted it.');
    expect(world.read(`accounts.${imported.id}`)).toBeNull();
    expect(world.known.has(imported.id)).toBe(false);
  });

  it('accounts are created again if the stored value is not an object of accounts, and a copy is kept', async () => {
    const world = there.world.clone();
    world.write('accounts', 'garbage');
    const session = new SnapInProcess(world);
    await expect(session.keyring('keyring_listAccounts')).rejects.toThrow('create them again');
    expect(await session.keyring('keyring_createAccount', { options: {} })).toMatchObject({
      address: there.accounts.eoa.address,
    });
    expect(world.state.damaged).toEqual([{ part: 'accounts', stored: 'garbage' }]);
  });
});
