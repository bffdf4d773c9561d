import { expect } from '@jest/globals';

import { type ForDapps, installForDapps } from '../../support/dapp';
import { ALICE, ME } from '../../support/explaining';
import { flat } from '../../support/screen-text';
import { type SimulatedNode } from '../../support/simulated-node';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { connectedTo, startTakingNode } from './sending';

const start = useEmptiedSnap(installForDapps);

let node: SimulatedNode;
beforeAll(async () => {
  node = await startTakingNode();
});
afterAll(() => node.stop());

const homeOf = async ({ snap }: ForDapps) => flat((await snap.onHomePage()).getInterface().content);

/** The snap after a test that stored settings, an account, a network, a connected site, a recipient and a batch. */
async function used(): Promise<void> {
  const keystead = await connectedTo(node, await start({ settings: { confirmSignatures: 'always' } }));
  expect(
    (await keystead.approve('eth_sendTransaction', [{ from: ME, to: ALICE, value: '0x1' }])).error,
  ).toBeUndefined();
}

describe('an emptied snap', () => {
  it('is like a new one', async () => {
    const newHome = await homeOf(await start());
    await used();
    const emptied = await start();
    expect(await homeOf(emptied)).toBe(newHome);
    expect(emptied.told).toEqual([]);
    expect((await emptied.call('keystead_getChains')).result).toEqual([]);
  });

  it('keeps only what the test allows', async () => {
    const newHome = await homeOf(await start());
    await used();
    const emptied = await start({ mayKeep: ['batches'] });
    const home = await homeOf(emptied);
    expect(home).toContain('Status Sent. The network has not shown it yet.');
    expect(home.replace(/Calls sent for sites .* Check status /u, '')).toBe(newHome);
    expect((await emptied.call('keystead_getChains')).result).toEqual([]);
    const { dapp } = await connectedTo(node, emptied);
    const request = dapp('eth_sendTransaction', [{ from: ME, to: ALICE, value: '0x1' }]);
    const screen = await request.getInterface();
    expect(flat(screen.content)).toContain('First time you send to');
    await screen.cancel();
    await request;
  });
});
