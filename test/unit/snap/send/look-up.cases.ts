import { numberToHex } from 'viem';

import { type Json } from '@metamask/snaps-sdk';
import { type Batch, withEach, withReplacements } from '../../../../src/snap/send/batch';
import { lookUp, lookUpPending } from '../../../../src/snap/send/look-up';
import { BatchRepository } from '../../../../src/snap/send/repository';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ChainRepository } from '../../../../src/snap/network/repository';
import { bundleReceipt } from '../../../support/operation-event';
import { NoAnswer, type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';

const HASH: Hex = `0x${'12'.repeat(32)}`;
const OTHER: Hex = `0x${'13'.repeat(32)}`;
const HOUR = 3_600_000;

describe('looking up what was sent', () => {
  let node: SimulatedNode;
  beforeAll(async () => {
    node = await startSimulatedNode();
  });
  afterAll(() => node.stop());

  /** A wallet with one sent transaction, of nonce 5, sent some time ago. */
  async function wallet(change: Partial<Batch> = {}, ago = 600_000) {
    const configuration = {
      chainId: 'eip155:31337',
      rpcUrl: node.url,
      entryPoint: ENTRY_POINTS['0.7'],
      entryPointVersion: '0.7',
    };
    const state: Record<string, Json> = { chains: { '31337': configuration } };
    let writes = 0;
    const store = {
      read: (key: string) => Promise.resolve(state[key] ?? null),
      write: (key: string, value: Json) => {
        writes += 1;
        state[key] = value;
        return Promise.resolve();
      },
    };
    const deps = { batches: new BatchRepository(store), chains: new ChainRepository(store) };
    await deps.batches.add({
      id: 'a',
      origin: 'https://dapp.example',
      account: `0x${'ac'.repeat(20)}`,
      chainId: 'eip155:31337',
      at: Date.now() - ago,
      calls: 1,
      atomic: true,
      sent: { as: 'transactions', items: [{ hash: HASH, nonce: '0x5' }], unsent: 0 },
      status: 100,
      ...change,
    });
    const look = async () => lookUp((await deps.batches.find('https://dapp.example', 'a'))!, deps);
    return { ...deps, look, writes: () => writes };
  }

  /** A network whose latest block used the nonce, if anything did. */
  function network(by: Hex | undefined, latest = 0x11) {
    Object.assign(node.answers, {
      eth_chainId: () => '0x7a69',
      eth_blockNumber: () => numberToHex(latest),
      eth_getTransactionCount: ([, block]: readonly string[]) =>
        by !== undefined && (block === 'latest' || Number(block) >= latest) ? '0x6' : '0x5',
      eth_getBlockByNumber: () => ({ transactions: by === undefined ? [] : [by] }),
      eth_getTransactionReceipt: () => (by === HASH ? { ...bundleReceipt(HASH), logs: [] } : null),
    });
  }

  const SPED_UP = { hash: OTHER, how: 'speed-up', fees: { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' } } as const;
  const spedUp = (sent: Batch['sent']) => withEach(sent, (each) => ({ ...each, replacements: [SPED_UP] }));
  /** The network has included the replacement. */
  function replacedOnNetwork() {
    network(OTHER);
    node.answers.eth_getTransactionReceipt = ([hash]) =>
      hash === OTHER ? { ...bundleReceipt(OTHER), logs: [], status: 1 } : null;
  }

  it('what was replaced while the network was asked is not called lost, and the replacement stays', async () => {
    const { look, batches } = await wallet();
    replacedOnNetwork();
    const { eth_getBlockByNumber: blocks } = node.answers;
    node.answers.eth_getBlockByNumber = async (params) => {
      await batches.changeSent('https://dapp.example', 'a', spedUp);
      return blocks!(params);
    };
    expect(await look()).toMatchObject({ status: 100, sent: { items: [{ replacements: [SPED_UP] }] } });
    expect(await look()).toMatchObject({ status: 200, receipts: [{ transactionHash: OTHER }] });
  });

  it('settling what was sent keeps a replacement that was made meanwhile', async () => {
    const { batches } = await wallet();
    const { sent } = (await batches.find('https://dapp.example', 'a'))!;
    await batches.changeSent('https://dapp.example', 'a', spedUp);
    await batches.settle('https://dapp.example', 'a', sent);
    expect((await batches.read())[0]!.sent).toEqual(spedUp(sent));
  });

  it('the same bytes under a second id share the replacement, before and after it was made', async () => {
    const { batches, look, ...deps } = await wallet();
    const first = (await batches.find('https://dapp.example', 'a'))!;
    await batches.add({ ...first, id: 'before' });
    await batches.changeSent('https://dapp.example', 'a', spedUp);
    await batches.add({ ...first, id: 'after', origin: 'https://other.example' });
    replacedOnNetwork();
    for (const batch of await batches.read())
      expect(await lookUp(batch, { batches, ...deps })).toMatchObject({
        status: 200,
        receipts: [{ transactionHash: OTHER }],
      });
    // Another network has other transactions.
    const elsewhere: Batch = { ...first, id: 'elsewhere', chainId: 'eip155:1' };
    expect(withReplacements(elsewhere, await batches.read())).toEqual(first.sent);
  });

  it('a later answer corrects an earlier one, in either direction', async () => {
    const { look } = await wallet();
    network(OTHER);
    expect(await look()).toMatchObject({ status: 400, remark: 'replaced', receipts: [] });
    network(HASH);
    const confirmed = await look();
    expect(confirmed).toMatchObject({ status: 200, receipts: [{ transactionHash: HASH }] });
    expect(confirmed).not.toHaveProperty('remark');
    network(OTHER);
    expect(await look()).toMatchObject({ status: 400 });
  });

  it('a final status without evidence, of an earlier version, is not kept', async () => {
    const { look } = await wallet({ status: 400, receipts: [] }, 25 * HOUR);
    network(undefined);
    expect((await look()).status).toBe(100);
  });

  it('a confirmed status is kept while a node that has forgotten or lags contradicts nothing', async () => {
    const { look } = await wallet();
    network(HASH);
    await look();
    // It lags: its latest block is before the receipt's.
    network(undefined, 0x10);
    expect(await look()).toMatchObject({ status: 200, receipts: [{ transactionHash: HASH }] });
    // It has forgotten the receipt, and its block has the transaction.
    network(HASH);
    node.answers.eth_getTransactionReceipt = () => null;
    expect(await look()).toMatchObject({ status: 200 });
    node.answers.eth_getTransactionReceipt = () => {
      throw new NoAnswer();
    };
    expect(await look()).toMatchObject({ status: 200 });
  });

  it('a confirmed status is open again if a reorganization removes the block', async () => {
    const { look, batches } = await wallet();
    network(HASH);
    await look();
    network(undefined, 0x12);
    expect((await look()).status).toBe(100);
    expect(await batches.read()).toMatchObject([{ status: 100 }]);
    network(HASH, 0x13);
    expect((await look()).status).toBe(200);
  });

  it('a final status is settled a quarter of an hour after it was found, however late that was', async () => {
    for (const [by, status] of [
      [HASH, 200],
      [OTHER, 400],
    ] as const) {
      const { look } = await wallet({}, HOUR);
      network(by);
      expect((await look()).status).toBe(status);
      network(undefined, 0x12);
      expect((await look()).status).toBe(100);
      network(by, 0x13);
      expect((await look()).status).toBe(status);
      const found = Date.now();
      const clock = jest.spyOn(Date, 'now').mockReturnValue(found + 901_000);
      node.asked.length = 0;
      network(undefined, 0x99);
      expect((await look()).status).toBe(status);
      expect(node.asked).toEqual([]);
      clock.mockRestore();
    }
  });

  it('without an answer the last known status is kept, and the remark says so', async () => {
    const { look, batches } = await wallet();
    node.answers.eth_chainId = () => {
      throw new NoAnswer();
    };
    expect(await look()).toMatchObject({ status: 100, remark: 'no-answer' });
    expect(await batches.read()).toMatchObject([{ status: 100, remark: 'no-answer' }]);
    network(HASH);
    expect(await look()).not.toHaveProperty('remark');
  });

  it('a node that serves another chain now decides nothing', async () => {
    const { look } = await wallet();
    network(OTHER);
    node.answers.eth_chainId = () => '0x1';
    expect(await look()).toMatchObject({ status: 100, remark: 'no-answer' });
  });

  it('a network that was removed leaves the last known status', async () => {
    const pending = await wallet();
    await pending.chains.remove('eip155:31337');
    expect(await pending.look()).toMatchObject({ status: 100, remark: 'no-network' });
    const confirmed = await wallet();
    network(HASH);
    await confirmed.look();
    await confirmed.chains.remove('eip155:31337');
    const found = await confirmed.look();
    expect(found).toMatchObject({ status: 200, receipts: [{ transactionHash: HASH }] });
    expect(found).not.toHaveProperty('remark');
  });

  it('nothing is stored unless something changed', async () => {
    const { look, writes } = await wallet();
    network(undefined);
    await look();
    await look();
    // The remark that the network does not have it.
    expect(writes()).toBe(2);
    network(HASH);
    await look();
    await look();
    expect(writes()).toBe(3);
  });

  it('the background looks up what is pending, and what may still change', async () => {
    const deps = await wallet({ status: 400, receipts: [] });
    network(HASH);
    expect(await lookUpPending(deps)).toBeUndefined();
    expect(await deps.batches.read()).toMatchObject([{ status: 200 }]);
    network(undefined, 0x12);
    expect(await lookUpPending(deps)).toBe((await deps.batches.read())[0]!.at);
  });
});
