import { type Hex, parseEther } from 'viem';

import { type Activity } from '../../../src/core/methods/results';
import { DAPP, type ForDapps, installForDapps, LOCAL_PAGE } from '../../support/dapp';
import { describeWithPeers } from '../../support/chain/peers';
import { sharedWorld } from '../../support/chain/shared-world';
import { type World } from '../../support/chain/world';
import { CHAIN, must } from '../../support/chain/smart-wallet';
import { flat } from '../../support/screen-text';

const FRIEND: Hex = `0x${'fa'.repeat(20)}`;

describeWithPeers('what is pending is replaced, on a real chain through a real bundler', () => {
  let world: World;
  let keystead: ForDapps;
  beforeAll(async () => {
    world = await sharedWorld();
  });
  const balance = () => world.chain.getBalance({ address: FRIEND });

  async function install(options: Parameters<ForDapps['create']>[0] = {}): Promise<Hex> {
    keystead = await installForDapps();
    const params = { chainId: CHAIN, rpcUrl: world.rpcUrl, bundlerUrl: world.bundlerUrl };
    must(await keystead.approve('keystead_setChain', params, LOCAL_PAGE));
    const address = (await keystead.create(options)).address as Hex;
    await world.chain.setBalance({ address, value: parseEther('5') });
    await keystead.connect();
    return address;
  }

  const activity = async (): Promise<Activity[]> =>
    must(await keystead.call<Activity[]>('keystead_getActivity', { lookUp: true }));
  const sent = async () => (await activity())[0]?.sent;

  /** Replaces what is pending. @returns The replacement's hash, and what the dialog said. */
  async function replace(hash: Hex, how: string): Promise<{ readonly hash: Hex; readonly said: string }> {
    const request = keystead.send('keystead_replaceCalls', { hash, how });
    const screen = await request.getInterface();
    const said = flat(screen.content);
    await screen.ok();
    return { hash: must((await request).response as { result?: Hex }), said };
  }

  const status = async (id: string) =>
    must(
      await keystead.ask<{ status: number; receipts?: unknown[]; capabilities: object }>('wallet_getCallsStatus', [id]),
    );

  async function sendCalls(address: Hex, more: object = {}, origin = DAPP): Promise<string> {
    const calls = { version: '2.0.0', from: address, chainId: '0x7a69', atomicRequired: false };
    const params = [{ ...calls, calls: [{ to: FRIEND, value: '0x7' }], ...more }];
    return must(await keystead.approve<{ id: string }>('wallet_sendCalls', params, origin)).id;
  }

  describe('a transaction, while no block comes', () => {
    beforeEach(() => world.chain.setAutomine(false));
    afterEach(async () => {
      await world.chain.setAutomine(true);
      await world.chain.mine({ blocks: 1 });
    });

    it('is sped up: the network takes the one that pays more, and the site hears that its calls are done', async () => {
      const address = await install();
      const before = await balance();
      const id = await sendCalls(address);
      const first = await sent();
      expect(first).toMatchObject({ status: 100, isSeen: true });
      expect(await status(id)).toMatchObject({ status: 100, capabilities: { keystead: { state: 'seen' } } });
      const [original] = first!.transactions;
      const faster = await replace(original!, 'speed-up');
      expect(faster.said).toMatch(/Speed up: Send .*Replaces the transaction 0x.*Its nonce 0/u);
      expect(faster.hash).not.toBe(original);
      // Once more, of what was sped up already.
      const fastest = await replace(faster.hash, 'speed-up');
      await world.chain.mine({ blocks: 1 });
      expect(await activity()).toMatchObject([{ sent: { status: 200, transactions: [fastest.hash] } }]);
      const done = await status(id);
      expect(done).toMatchObject({ status: 200, receipts: [{ status: '0x1', transactionHash: fastest.hash }] });
      expect((await balance()) - before).toBe(7n);
      const [old, now] = await Promise.all([
        world.chain.getTransaction({ hash: fastest.hash }),
        world.chain.getTransactionCount({ address }),
      ]);
      expect([old.nonce, now]).toEqual([0, 1]);
      // What is included cannot be replaced.
      const late = await keystead.call('keystead_replaceCalls', { hash: fastest.hash, how: 'cancel' });
      expect(late.error?.message).toContain('Nothing that can be replaced');
    });

    it('is cancelled: nothing moves, and the site hears that its calls never come', async () => {
      const address = await install();
      const before = await balance();
      const id = await sendCalls(address);
      const [original] = (await sent())!.transactions;
      const { said } = await replace(original!, 'cancel');
      expect(said).toMatch(/Cancel a pending transaction.*Replaces the transaction 0x/u);
      await world.chain.mine({ blocks: 1 });
      expect(await activity()).toMatchObject([{ sent: { status: 400, remark: 'cancelled' } }]);
      const message = 'Cancelled. It was not carried out.';
      expect(await status(id)).toMatchObject({
        status: 400,
        capabilities: { keystead: { state: 'failed', remark: 'cancelled', message } },
      });
      expect(await balance()).toBe(before);
    });

    it('stays as it is if the person rejects, and nothing else is signed', async () => {
      const address = await install();
      await sendCalls(address);
      const before = await sent();
      const request = keystead.send('keystead_replaceCalls', { hash: before!.transactions[0]!, how: 'cancel' });
      await (await request.getInterface()).cancel();
      expect(((await request).response as { error?: { code: number } }).error?.code).toBe(4001);
      expect(await sent()).toEqual(before);
      await world.chain.mine({ blocks: 1 });
      expect(await sent()).toMatchObject({ status: 200, transactions: before!.transactions });
    });
  });

  describe('a user operation, while the bundler bundles nothing', () => {
    const bundler = async (method: string, params: readonly unknown[]): Promise<void> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json' };
      const answer = (await (await fetch(world.bundlerUrl, { method: 'POST', headers, body })).json()) as object;
      expect(answer).not.toHaveProperty('error');
    };
    beforeEach(() => bundler('debug_bundler_setBundlingMode', ['manual']));
    afterEach(() => bundler('debug_bundler_setBundlingMode', ['auto']));
    const SMART = { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: '0.7' };

    it.each([
      ['speed-up', { status: 200 }, 7n],
      ['cancel', { status: 400, remark: 'cancelled' }, 0n],
    ])('%s: one of them is included', async (how, outcome, moved) => {
      const address = await install(SMART);
      const before = await balance();
      const id = await sendCalls(address);
      const first = await sent();
      expect(first).toMatchObject({ status: 100 });
      const { hash, said } = await replace(first!.userOperation!, how);
      expect(said).toMatch(/Replaces the user operation 0x/u);
      expect(hash).not.toBe(first!.userOperation);
      await bundler('debug_bundler_sendBundleNow', []);
      await world.chain.mine({ blocks: 1 });
      expect(await activity()).toMatchObject([{ sent: outcome }]);
      expect((await status(id)).status).toBe(outcome.status);
      expect((await balance()) - before).toBe(moved);
    });

    it('is still paid by the paymaster service of the site when it is sped up', async () => {
      const address = await install(SMART);
      await keystead.connect(LOCAL_PAGE);
      await sendCalls(address, { capabilities: { paymasterService: { url: world.paymasterUrl } } }, LOCAL_PAGE);
      const { hash, said } = await replace((await sent())!.userOperation!, 'speed-up');
      expect(said).toMatch(/Speed up: Send .*Sponsored by 0x/u);
      const before = await world.chain.getBalance({ address });
      await bundler('debug_bundler_sendBundleNow', []);
      await world.chain.mine({ blocks: 1 });
      expect(await activity()).toMatchObject([{ sent: { status: 200, userOperation: hash } }]);
      expect(before - (await world.chain.getBalance({ address }))).toBe(7n);
    });
  });
});
