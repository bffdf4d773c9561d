import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { flat } from '../../support/screen-text';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { answerOf, SnapInProcess } from '../../support/wallet/in-process';
import { walletError } from '../../support/wallet/installed';
import { WalletDouble } from '../../support/wallet/wallet-double';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';

let node: SimulatedNode;
beforeAll(async () => {
  node = await startSimulatedNode({ eth_chainId: () => '0x7a69', eth_getBalance: () => '0x16345785d8a0001' });
});
afterAll(() => node.stop());

const chain = (id: number, url: string, name: string) => ({
  ...{ chainId: `eip155:${id}`, rpcUrl: url, bundlerUrl: url, name, symbol: 'TST' },
  ...{ entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7' },
});

/** The built snap with a network that answers and, if asked for, one that does not. */
function start({ isAlone = true } = {}) {
  const chains = {
    31337: chain(31337, node.url, 'Home'),
    ...(!isAlone && { 31338: chain(31338, 'http://127.0.0.1:1', 'Gone') }),
  };
  const wallet = new WalletDouble({ state: { version: 2, chains } as unknown as Record<string, Json> });
  wallet.services = [node.url, 'http://127.0.0.1:1'];
  const snap = new SnapInProcess(wallet, 'built');
  const accounts = async () =>
    (await answerOf<KeyringAccount[]>(snap.keyring('keyring_listAccounts'))).result as KeyringAccount[];
  const create = () => snap.input({ type: 'ButtonClickEvent', name: 'create-account' });
  const home = async () => flat((await snap.home()) as object);
  return { wallet, snap, accounts, create, home };
}

describe('the home page', () => {
  it('creates the recommended account, under the name that the person types, and shows it at once', async () => {
    const { wallet, accounts, create } = start();
    wallet.typed = { 'create-name': 'Rent' };
    const page = flat((await create()) as object);
    expect(wallet.dialogs.map(({ text }) => text)).toEqual([expect.stringContaining('Create an account')]);
    expect(await accounts()).toMatchObject([{ type: 'eip155:erc4337', options: { kind: 'safe-0.7', label: 'Rent' } }]);
    expect(page).toMatch(
      /Rent · Safe alternative Restored by your recovery phrase\. Address 0x\w{40} Balance 0\.10000… TST on Home/u,
    );
  });

  it('creates a standard account if the person chooses it', async () => {
    const { wallet, accounts, create } = start();
    wallet.typed = { 'create-type': 'eip155:eoa' };
    await create();
    expect(await accounts()).toMatchObject([{ type: 'eip155:eoa' }]);
  });

  it('says why the wallet did not add an account, and keeps none', async () => {
    const { wallet, accounts, create } = start();
    wallet.onRequest = ({ method }) => {
      if (method === 'snap_manageAccounts') throw walletError('not now');
    };
    await create();
    expect(wallet.dialogs.at(-1)?.text).toContain('No account was created');
    wallet.onRequest = undefined;
    expect(await accounts()).toEqual([]);
  });

  it('says where to see who may take tokens, once there is an account', async () => {
    const { snap, home } = start();
    expect(await home()).not.toContain('who may take');
    await snap.keyring('keyring_createAccount', { options: {} });
    expect(await home()).toContain('The Keystead page shows who may take your tokens and NFTs.');
  });

  it('says which balance is unknown, and never takes it for zero', async () => {
    const { snap, home } = start({ isAlone: false });
    await snap.keyring('keyring_createAccount', { options: {} });
    const shown = await home();
    expect(shown).toContain('Balance 0.10000… TST on Home');
    expect(shown).toContain('Balance unknown on Gone, whose node does not answer');
  });
});
