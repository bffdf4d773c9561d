import { type Json } from '@metamask/snaps-sdk';

import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { flat, textOf } from '../../support/screen-text';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { LOCAL_PAGE } from '../../support/dapp';
import { SnapInProcess } from '../../support/wallet/in-process';
import { installKeystead } from '../../support/wallet/installed';
import { WalletDouble } from '../../support/wallet/wallet-double';
import version2 from '../states/version-2.json';

const CHAIN = 'eip155:31337';

let node: SimulatedNode;
beforeAll(async () => {
  node = await startSimulatedNode();
});
afterAll(() => node.stop());

/** A valid chain, and a state with it and a damaged one. */
function oneDamaged() {
  const sound = {
    chainId: 'eip155:10',
    rpcUrl: node.url,
    bundlerUrl: node.url,
    entryPoint: ENTRY_POINTS['0.7'],
    entryPointVersion: '0.7',
  };
  const chains = { '10': sound, '31337': { rpcUrl: 5 } };
  return { sound, state: { ...(version2.state as unknown as Record<string, Json>), chains } as Record<string, Json> };
}

/** The built snap in this process, on that state. The user approves every dialog. */
function start() {
  const { sound, state } = oneDamaged();
  const wallet = new WalletDouble({ state });
  wallet.services = [node.url];
  const snap = new SnapInProcess(wallet, 'built');
  const home = async () => flat(await snap.home());
  return { snap, wallet, home, sound };
}

describe('a damaged chain', () => {
  it('is named on the home page and in errors; the others work', async () => {
    const { sound, state } = oneDamaged();
    const { call, snap, submit } = await installKeystead({ state });
    expect(textOf((await snap.onHomePage()).getInterface().content)).toContain(
      'The stored settings of Network 31337 cannot be read',
    );
    expect(await call('keystead_getChains')).toEqual({ result: [sound] });
    const options = { type: 'eip155:erc4337', chainId: CHAIN };
    expect((await call('keyring_createAccount', { options })).error).toMatchObject({
      data: { code: 'state-damaged' },
      message: expect.stringContaining('configuration of Network 31337 is damaged') as string,
    });
    const smart = await call<{ id: string }>('keyring_createAccount', {
      options: { ...options, chainId: 'eip155:10' },
    });
    const prepared = submit(smart.result!.id, 'eth_decodeUserOperationCallData', ['0x1234'], 'eip155:10');
    expect((await prepared).response.error?.message).toContain('callData: must be');
  });

  it.each(['keyring', 'RPC'])('is set up again through its dialog by the %s handler', async (handler) => {
    const { snap, wallet, home, sound } = start();
    const params = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url };
    await (handler === 'RPC'
      ? snap.dapp('keystead_setChain', params, LOCAL_PAGE)
      : snap.keyring('keystead_setChain', params));
    expect(wallet.dialogs).toHaveLength(1);
    expect(wallet.dialogs[0]!.text).toContain('The stored settings of this network are damaged. This replaces them.');
    expect(await snap.keyring('keystead_getChains')).toEqual([
      sound,
      {
        ...params,
        entryPoint: ENTRY_POINTS['0.7'],
        entryPointVersion: '0.7',
        ...(handler === 'RPC' && { nodeFrom: LOCAL_PAGE }),
      },
    ]);
    expect(await home()).not.toContain('cannot be read');
  });

  it('is removed through its dialog', async () => {
    const { snap, wallet, home, sound } = start();
    expect(await snap.keyring('keystead_removeChain', { chainId: CHAIN })).toBeNull();
    expect(wallet.dialogs).toHaveLength(1);
    expect(wallet.dialogs[0]!.text).toContain('Its stored settings are damaged.');
    expect(await snap.keyring('keystead_getChains')).toEqual([sound]);
    expect(await home()).not.toContain('cannot be read');
  });
});
