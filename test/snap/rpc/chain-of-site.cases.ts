import { expect } from '@jest/globals';

import { installForDapps, LOCAL_PAGE } from '../../support/dapp';
import { ALICE } from '../../support/explaining';
import { NodeRefusal, type SimulatedNode } from '../../support/simulated-node';
import { flat } from '../../support/screen-text';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { CHAIN, connectedTo, startTakingNode } from './sending';

const start = useEmptiedSnap(installForDapps);

let node: SimulatedNode;
beforeEach(async () => {
  node = await startTakingNode();
});
afterEach(() => node.stop());

describe('the chain of a site', () => {
  it('is chosen per site, among the configured chains', async () => {
    const { ask, approve, connect } = await connectedTo(node, await start());
    const other = 'https://other.example';
    await connect(other);
    node.answers.eth_chainId = () => '0xa';
    const optimism = { chainId: '0xa', rpcUrl: node.url, bundlerUrl: node.url };
    expect((await approve('keystead_setChain', optimism, LOCAL_PAGE)).error).toBeUndefined();
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])).toMatchObject({ error: { code: 4902 } });
    expect(await ask('eth_chainId')).toEqual({ result: '0x7a69' });
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0xa' }])).toEqual({ result: null });
    expect(await ask('eth_chainId')).toEqual({ result: '0xa' });
    expect(await ask('net_version')).toEqual({ result: '10' });
    expect(await ask('eth_chainId', [], other)).toEqual({ result: '0x7a69' });
    await approve('keystead_removeChain', { chainId: '0xa' });
    expect(await ask('eth_blockNumber')).toMatchObject({ error: { code: 4901 } });
    // A node that serves another chain is not asked.
    node.answers.eth_chainId = () => '0x7a69';
    expect(await ask('eth_blockNumber', [], other)).toEqual({ result: '0x10' });
  });

  it('is missing while none is set up: 4900', async () => {
    const { ask, connect, create } = await start();
    await create();
    await connect();
    for (const method of ['eth_chainId', 'eth_blockNumber'])
      expect((await ask(method, [])).error).toMatchObject({ code: 4900 });
  });

  it('is set up by a site only with consent, and nothing is sent before', async () => {
    const { ask, dapp } = await start();
    const params = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url };
    const refused = dapp('keystead_setChain', params, LOCAL_PAGE);
    const screen = await refused.getInterface();
    for (const part of ['Add network', LOCAL_PAGE, node.url]) expect(flat(screen.content)).toContain(part);
    await screen.cancel();
    expect((await refused).response.error).toMatchObject({ code: 4001 });
    expect(node.asked).toEqual([]);
    const approved = dapp('keystead_setChain', params, LOCAL_PAGE);
    await (await approved.getInterface()).ok();
    expect((await approved).response.error).toBeUndefined();
    expect(node.asked.length).toBeGreaterThan(0);
    node.answers.eth_chainId = () => '0x1';
    const wrong = dapp('keystead_setChain', params, LOCAL_PAGE);
    await (await wrong.getInterface()).ok();
    expect((await wrong).response.error).toMatchObject({ data: { code: 'service-failed' } });
    expect((await ask('keystead_getChains')).error).toMatchObject({ code: 4100 });
  });

  it('is returned without the URLs of its services, which may contain keys', async () => {
    const { ask } = await connectedTo(node, await start());
    const answer = await ask('keystead_getChains');
    expect(answer.result).toMatchObject([{ chainId: CHAIN, entryPointVersion: '0.7', hasPaymaster: false }]);
    expect(JSON.stringify(answer)).not.toContain(node.url);
  });
});

describe('the node reads of a site', () => {
  it('go unchanged to the node of its chain, including uncle methods', async () => {
    const { ask } = await connectedTo(node, await start());
    node.answers.eth_getUncleByBlockNumberAndIndex = ([block, index]) => ({ number: block, index });
    node.answers.eth_getUncleCountByBlockHash = () => '0x1';
    expect(await ask('eth_getUncleByBlockNumberAndIndex', ['0x64', '0x0'])).toEqual({
      result: { number: '0x64', index: '0x0' },
    });
    expect(await ask('eth_getUncleCountByBlockHash', [`0x${'12'.repeat(32)}`])).toEqual({ result: '0x1' });
    expect(await ask('eth_blockNumber')).toEqual({ result: '0x10' });
  });

  it('pass on the node’s own error with its data, and are limited in size', async () => {
    const { ask } = await connectedTo(node, await start());
    node.answers.eth_call = () => {
      throw new NodeRefusal('execution reverted: no', 3, '0x08c379a0');
    };
    expect((await ask('eth_call', [{ to: ALICE }, 'latest'])).error).toMatchObject({
      code: 3,
      message: 'execution reverted: no',
      data: { data: '0x08c379a0' },
    });
    node.asked.length = 0;
    for (const params of [{ to: ALICE }, [{ to: ALICE, data: `0x${'00'.repeat(500_000)}` }]])
      expect((await ask('eth_call', params)).error).toMatchObject({ code: -32602 });
    expect(node.asked).toEqual([]);
  });
});
