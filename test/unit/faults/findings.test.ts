import { after, furnished, type Furnished } from '../../helpers/whole-snap/fixture';
import { DAPP, OTHER, Session } from '../../helpers/whole-snap/session';
import { type World } from '../../helpers/whole-snap/world';

let there: Furnished;
beforeAll(async () => {
  there = await furnished();
});

/** What the snap calls while it works, and the error if there is one. */
async function run(world: World, work: (session: Session) => Promise<unknown>, at = -1) {
  const session = new Session(world);
  world.plan({ at, fault: 'fails' });
  const error = await work(session).then(
    () => undefined,
    (failure: unknown) => failure as { code: number; message: string; data: { code: string } },
  );
  return { calls: [...world.calls], error };
}

describe('what faults have found', () => {
  it('a site is connected in one go: with its chain, or not at all', async () => {
    const connect = (session: Session) => session.dapp('eth_requestAccounts', [], OTHER);
    const { calls } = await run(there.world.clone(), connect);
    expect(calls.filter((call) => call === 'snap_setState grants')).toHaveLength(1);
    const world = there.world.clone();
    await run(world, connect, calls.indexOf('snap_setState grants'));
    expect(world.read('grants')).toEqual(there.world.read('grants'));
    const connected = await after(there.world, connect);
    expect(connected.read('grants')).toMatchObject({ [OTHER]: { chainId: 'eip155:31337' } });
  });

  it('a read that fails after a change does not say that nothing was changed', async () => {
    const remove = (session: Session) => session.keyring('keyring_deleteAccount', { id: there.accounts.eoa.id });
    const { calls } = await run(there.world.clone(), remove);
    const world = there.world.clone();
    const { error } = await run(world, remove, calls.lastIndexOf('snap_getState accounts'));
    expect(world.read('grants')).not.toEqual(there.world.read('grants'));
    expect(error).toMatchObject({
      data: { code: 'state-damaged' },
      message: 'The wallet could not read what Keystead has stored. Please try again.',
    });
  });

  it('a page that the wallet does not draw anew is an error in words', async () => {
    const disconnect = (session: Session) => session.input({ type: 'ButtonClickEvent', name: `disconnect:${DAPP}` });
    const { calls } = await run(there.world.clone(), disconnect);
    const { error } = await run(there.world.clone(), disconnect, calls.indexOf('snap_updateInterface'));
    expect(error).toMatchObject({
      data: { code: 'wallet-refused' },
      message: 'The wallet could not show what is there now. Open the page again.',
    });
  });
});
