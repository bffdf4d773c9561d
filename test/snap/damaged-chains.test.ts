import { type Json } from '@metamask/snaps-sdk';

import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { installForDapps } from '../helpers/dapp';
import { textOf } from '../helpers/screen-text';
import { type SimulatedNode, startSimulatedNode } from '../helpers/simulated-node';
import version1 from './states/version-1.json';

const CHAIN = 'eip155:31337';

let node: SimulatedNode;
beforeEach(async () => {
  node = await startSimulatedNode();
});
afterEach(() => node.stop());

/** The snap on a state with one damaged and one valid chain. */
async function start() {
  const sound = {
    chainId: 'eip155:10',
    rpcUrl: node.url,
    bundlerUrl: node.url,
    entryPoint: ENTRY_POINTS['0.7'],
    entryPointVersion: '0.7',
  };
  const state = { ...(version1 as unknown as Record<string, Json>), chains: { '10': sound, '31337': { rpcUrl: 5 } } };
  const keystead = await installForDapps({ state: state as unknown as Record<string, Json> });
  const home = async () => textOf((await keystead.snap.onHomePage()).getInterface().content as never);
  return { ...keystead, home, sound };
}

describe('a damaged chain', () => {
  it('is named on the home page and in errors; the others work', async () => {
    const { call, home, sound, submit } = await start();
    expect(await home()).toContain('The stored settings of eip155:31337 cannot be read');
    expect(await call('keystead_getChains')).toEqual({ result: [sound] });
    const options = { type: 'eip155:erc4337', chainId: CHAIN };
    expect((await call('keyring_createAccount', { options })).error).toMatchObject({
      data: { code: 'state-damaged' },
      message: expect.stringContaining('configuration of eip155:31337 is damaged') as string,
    });
    const smart = await call<{ id: string }>('keyring_createAccount', {
      options: { ...options, chainId: 'eip155:10' },
    });
    const prepared = submit(smart.result!.id, 'eth_decodeUserOperationCallData', ['0x1234'], 'eip155:10');
    expect((await prepared).response.error?.message).toContain('callData: must be');
  });

  it.each(['keyring', 'RPC'])('is set up again through its dialog by the %s handler', async (handler) => {
    const { approve, call, home, send, sound } = await start();
    const params = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url };
    if (handler === 'RPC') await approve('keystead_setChain', params);
    else {
      const request = send('keystead_setChain', params);
      const screen = await request.getInterface();
      expect(textOf(screen.content)).toContain('The stored settings of this network are damaged. This replaces them.');
      await screen.ok();
      expect((await request).response.error).toBeUndefined();
    }
    expect((await call('keystead_getChains')).result).toEqual([
      sound,
      { ...params, entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7' },
    ]);
    expect(await home()).not.toContain('cannot be read');
  });

  it('is removed through its dialog', async () => {
    const { call, home, send, sound } = await start();
    const request = send('keystead_removeChain', { chainId: CHAIN });
    const screen = await request.getInterface();
    expect(textOf(screen.content)).toContain('Its stored settings are damaged.');
    await screen.ok();
    expect((await request).response).toEqual({ result: null });
    expect((await call('keystead_getChains')).result).toEqual([sound]);
    expect(await home()).not.toContain('cannot be read');
  });
});
