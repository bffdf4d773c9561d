import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';

import { type ForDapps, installForDapps, LOCAL_PAGE } from '../../support/dapp';
import { textOf } from '../../support/screen-text';
import { type SimulatedNode } from '../../support/simulated-node';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { CHAIN, startTakingNode } from './sending';

const start = useEmptiedSnap(installForDapps);

let node: SimulatedNode;
beforeEach(async () => {
  node = await startTakingNode();
});
afterEach(() => node.stop());

const setUp = async (keystead: ForDapps, more: object = {}): Promise<ForDapps> => {
  await keystead.approve(
    'keystead_setChain',
    { chainId: CHAIN, rpcUrl: node.url, name: 'Testnet', ...more },
    LOCAL_PAGE,
  );
  return keystead;
};

const accountsOf = async ({ call }: ForDapps): Promise<readonly KeyringAccount[]> =>
  (await call('keyring_listAccounts')).result as unknown as readonly KeyringAccount[];

describe('connecting without an account', () => {
  it('creates a standard account while there is no network for smart accounts, and connects it', async () => {
    const keystead = await start();
    const request = keystead.dapp('eth_requestAccounts');
    const screen = await request.getInterface();
    expect(screen.type).toBe('confirmation');
    expect(textOf(screen.content)).toContain('New standard account');
    expect(textOf(screen.content)).not.toContain('Smart account');
    await screen.ok();
    const { response } = await request;
    const [account] = await accountsOf(keystead);
    expect(account).toMatchObject({ type: 'eip155:eoa' });
    expect(response).toEqual({ result: [account!.address] });
    expect(await keystead.ask('eth_accounts')).toEqual({ result: [account!.address] });
  });

  it('recommends a smart account where there is a bundler, under the name that is typed', async () => {
    const keystead = await setUp(await start(), { bundlerUrl: node.url });
    const request = keystead.dapp('eth_requestAccounts');
    const screen = await request.getInterface();
    expect(textOf(screen.content)).toContain('Recommended: Safe on Testnet (chain 31337)');
    await screen.typeInField('create-name', 'Everyday');
    await screen.ok();
    const { response } = await request;
    const [account] = await accountsOf(keystead);
    expect(account).toMatchObject({
      type: 'eip155:erc4337',
      scopes: [CHAIN],
      options: { label: 'Everyday', kind: 'safe-0.7' },
    });
    expect(response).toEqual({ result: [account!.address] });
  });

  it('creates the kind that is chosen', async () => {
    const keystead = await setUp(await start(), { bundlerUrl: node.url });
    const request = keystead.dapp('eth_requestAccounts');
    const screen = await request.getInterface();
    const text = (): Promise<string> => request.getInterface().then(({ content }) => textOf(content));
    expect(await text()).toContain('Sites that connect to MetaMask itself cannot send from it');
    await screen.selectInDropdown('create-kind', 'simple-account-0.8');
    expect(await text()).toContain('It cannot sign in to sites');
    expect(await text()).toContain('New SimpleAccount 0.8 on Testnet (chain 31337)');
    await screen.ok();
    await request;
    const other = keystead.dapp('eth_requestAccounts', [], 'https://other.example');
    await (await other.getInterface()).clickElement('create');
    await (await other.getInterface()).selectFromRadioGroup('create-type', 'eip155:eoa');
    const second = await other.getInterface();
    expect(textOf(second.content)).toContain('New standard account');
    await second.ok();
    const { response } = await other;
    const [simple, eoa] = await accountsOf(keystead);
    expect([simple!.options.kind, eoa!.type]).toEqual(['simple-account-0.8', 'eip155:eoa']);
    // The first account was preselected, for want of one that signs, and the new one comes last.
    expect(response).toEqual({ result: [simple!.address, eoa!.address] });
  });

  it('preselects an account that can sign in, of the kinds that there are', async () => {
    const keystead = await setUp(await start(), { bundlerUrl: node.url });
    await keystead.create({ type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: '0.7' });
    const safe = await keystead.create({ type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7' });
    await keystead.create();
    const request = keystead.dapp('eth_requestAccounts');
    const screen = await request.getInterface();
    expect(textOf(screen.content).split('It cannot sign in to sites, or sign messages.')).toHaveLength(2);
    await screen.ok();
    expect((await request).response).toEqual({ result: [safe.address] });
  });

  it('does not recommend a smart account where there is no bundler', async () => {
    const { dapp } = await setUp(await start());
    const request = dapp('eth_requestAccounts');
    const screen = await request.getInterface();
    expect(textOf(screen.content)).not.toContain('Smart account');
    await screen.cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
  });

  it('creates nothing if it is rejected, and does not use a name that hides something', async () => {
    const keystead = await start();
    const rejected = keystead.dapp('eth_requestAccounts');
    await (await rejected.getInterface()).cancel();
    expect((await rejected).response.error).toMatchObject({ code: 4001 });
    expect(await accountsOf(keystead)).toEqual([]);

    const request = keystead.dapp('eth_requestAccounts');
    const screen = await request.getInterface();
    await screen.typeInField('create-name', 'Al\u202Eice');
    expect(JSON.stringify((await request.getInterface()).content)).toContain('Use at most 64 characters');
    await screen.ok();
    await request;
    expect((await accountsOf(keystead))[0]!.options).not.toHaveProperty('label');
  });
});

it('fails with the wallet’s reason if the wallet does not add the account', async () => {
  const keystead = await start({
    manageAccounts: () => {
      throw new Error('User denied account creation');
    },
  });
  const request = keystead.dapp('eth_requestAccounts');
  await (await request.getInterface()).ok();
  expect((await request).response.error).toMatchObject({ code: -32003, data: { code: 'wallet-refused' } });
  expect(await keystead.ask('eth_accounts')).toEqual({ result: [] });
  expect(await accountsOf(keystead)).toEqual([]);
});
