import { type Json } from '@metamask/snaps-sdk';
import { createWalletClient, custom, type Hex, parseEther, publicActions, type Transaction } from 'viem';
import { foundry } from 'viem/chains';

import { DELEGATES } from '../../src/core/erc4337/delegates';
import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { delegationCode } from '../../src/core/eth/authorization';
import { DAPP, type ForDapps, installForDapps } from '../helpers/dapp';
import { DEVELOPMENT_CHAIN } from '../helpers/development-chain';
import { type LocalServer, reply, serveJsonRpc } from '../helpers/json-rpc-server';
import { textOf } from '../helpers/screen-text';
import { describeWithPeers } from './support/peers';
import { startFaultyService } from './support/faulty';
import { CHAIN, must } from './support/smart-wallet';
import { startWorld, type World } from './support/world';

const LOCAL = 'http://localhost:3000';
const recipient = (digit: string): Hex => `0x${digit.repeat(40)}`;
const THREE = ['1', '2', '3'].map((digit) => ({ to: recipient(digit), value: '0x1' }));
const ASKING = ['eth_sendTransaction', 'wallet_sendCalls'];

describeWithPeers('an externally owned account with a delegate (EIP-7702), on a real chain', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    await world.stop();
  });
  let next = 0;

  /** The snap with one funded account of a new key, connected to two sites. */
  async function start(change: Record<string, Json> = {}, value = parseEther('5')) {
    const keystead = await installForDapps();
    const params = { chainId: CHAIN, rpcUrl: world.rpcUrl, bundlerUrl: world.bundlerUrl, ...change };
    must(await keystead.approve('keystead_setChain', params));
    const privateKey: Hex = `0x${(++next).toString(16).padStart(2, '0').repeat(32)}`;
    const options = { type: 'eip155:eoa', privateKey };
    const creation = keystead.send('keyring_createAccount', { options });
    await (await creation.getInterface()).ok();
    const { address } = must((await creation).response as never) as { address: Hex };
    await world.chain.setBalance({ address, value });
    await keystead.connect();
    await keystead.connect(LOCAL);
    return { keystead, address };
  }

  const calls = (from: Hex, change: Record<string, unknown> = {}) =>
    [{ version: '2.0.0', from, chainId: '0x7a69', atomicRequired: true, calls: THREE, ...change }] as unknown as Json;

  async function statusOf({ ask }: ForDapps, id: string, origin = DAPP) {
    for (;;) {
      const status = must(
        await ask<{ status: number; atomic: boolean; receipts?: { transactionHash: Hex; status: Hex }[] }>(
          'wallet_getCallsStatus',
          [id],
          origin,
        ),
      );
      if (status.status !== 100) return status;
      await world.chain.mine({ blocks: 1 });
    }
  }

  const codeOf = (address: Hex) => world.chain.getCode({ address });

  const capabilitiesOf = async ({ ask }: ForDapps, address: Hex) =>
    must(await ask<Record<string, Json>>('wallet_getCapabilities', [address]))['0x7a69'];

  it.each([
    ['0.8', '0.7'],
    ['0.9', '0.9'],
  ] as const)(
    'makes three calls in its first user operation, of entry point %s, then without authorization',
    async (version, configured) => {
      const { keystead, address } = await start({ entryPointVersion: configured });
      expect(await capabilitiesOf(keystead, address)).toEqual({
        atomic: { status: 'ready' },
        paymasterService: { supported: true },
      });
      const request = keystead.dapp('wallet_sendCalls', calls(address));
      const screen = await request.getInterface();
      const text = textOf(screen.content);
      expect(text).toContain(`This upgrades your account on`);
      expect(text).toContain('Network 31337');
      expect(text).toContain('Authorization stays valid');
      expect(text).toContain(`Simple7702Account ${version}`);
      expect(text).toContain('You can take it back');
      await screen.ok();
      const { id } = must((await request).response as never) as { id: string };
      expect(await statusOf(keystead, id)).toMatchObject({ status: 200, atomic: true });
      expect((await codeOf(address))?.toLowerCase()).toBe(delegationCode(DELEGATES[version]));
      expect(await world.chain.getTransactionCount({ address })).toBe(1);
      expect(await capabilitiesOf(keystead, address)).toMatchObject({ atomic: { status: 'supported' } });

      const second = keystead.dapp('wallet_sendCalls', calls(address));
      const again = await second.getInterface();
      expect(textOf(again.content)).not.toContain('This upgrades your account');
      await again.ok();
      const { id: secondId } = must((await second).response as never) as { id: string };
      expect(await statusOf(keystead, secondId)).toMatchObject({ status: 200, atomic: true });
      expect(await world.chain.getTransactionCount({ address })).toBe(1);
    },
  );

  it('is sponsored without any funds, by the service that the site names', async () => {
    const { keystead, address } = await start({}, 0n);
    const capabilities = { paymasterService: { url: world.paymasterUrl, context: {} } };
    const request = calls(address, { calls: [{ to: recipient('4'), data: '0xabcd' }], capabilities });
    const { id } = must(await keystead.approve<{ id: string }>('wallet_sendCalls', request, LOCAL));
    expect(await statusOf(keystead, id, LOCAL)).toMatchObject({ status: 200 });
    expect(await world.chain.getBalance({ address })).toBe(0n);
    expect((await codeOf(address))?.toLowerCase()).toBe(delegationCode(DELEGATES['0.8']));
  });

  it('sends a transaction as an operation where a paymaster is set up', async () => {
    const { keystead, address } = await start({ paymasterUrl: world.paymasterUrl }, 0n);
    const transaction = [{ from: address, to: recipient('5'), data: '0xabcd' }];
    const hash = must(await keystead.approve<Hex>('eth_sendTransaction', transaction));
    const receipt = await world.chain.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    expect((await codeOf(address))?.toLowerCase()).toBe(delegationCode(DELEGATES['0.8']));
  });

  it("works with viem's sendCalls and waitForCallsStatus", async () => {
    const { keystead, address } = await start();
    const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      const answer = ASKING.includes(method)
        ? await keystead.approve(method, params as Json)
        : await keystead.ask(method, params as Json);
      if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), answer.error);
      return answer.result;
    };
    const dapp = createWalletClient({
      account: address,
      chain: DEVELOPMENT_CHAIN,
      transport: custom({ request }),
      pollingInterval: 50,
    }).extend(publicActions);
    const { id } = await dapp.sendCalls({
      calls: [
        { to: recipient('6'), value: 1n },
        { to: recipient('7'), value: 2n },
      ],
      forceAtomic: true,
    });
    expect(await dapp.waitForCallsStatus({ id })).toMatchObject({ statusCode: 200, atomic: true, chainId: foundry.id });
    expect(await world.chain.getBalance({ address: recipient('7') })).toBe(2n);
  });

  it('does not upgrade for calls that need not be atomic', async () => {
    const { keystead, address } = await start();
    const { id } = must(
      await keystead.approve<{ id: string }>('wallet_sendCalls', calls(address, { atomicRequired: false }), DAPP, 3),
    );
    expect(await statusOf(keystead, id)).toMatchObject({ status: 200, atomic: false });
    expect(await codeOf(address)).toBeUndefined();
  });

  it('signs nothing if the nonce moved, or the code changed, while the user was asked', async () => {
    const { keystead, address } = await start();
    const request = keystead.dapp('wallet_sendCalls', calls(address));
    const screen = await request.getInterface();
    await world.chain.setNonce({ address, nonce: 7 });
    await screen.ok();
    const { error } = (await request).response as { error?: { message: string } };
    expect(error?.message).toContain('used or changed');
    expect(await codeOf(address)).toBeUndefined();
  });

  it('refuses user operations of an account that runs foreign code, and sends its transactions', async () => {
    const { keystead, address } = await start();
    await world.chain.setCode({ address, bytecode: delegationCode(recipient('d')) });
    expect(await capabilitiesOf(keystead, address)).toEqual({ atomic: { status: 'unsupported' } });
    const refused = await keystead.ask('wallet_sendCalls', calls(address));
    expect(refused.error).toMatchObject({ code: 5760 });
    expect(refused.error?.message.toLowerCase()).toContain(recipient('d'));
    const prepared = await keystead.ask('eth_prepareUserOperation', [{ to: recipient('1'), value: '0x1', data: '0x' }]);
    expect(prepared.error?.message.toLowerCase()).toContain(recipient('d'));
  });

  describe('without a bundler for its entry point', () => {
    let bundler: LocalServer;
    beforeAll(async () => {
      bundler = await serveJsonRpc(({ id, method }, response) => {
        reply(response, { id, result: method === 'eth_chainId' ? '0x7a69' : [ENTRY_POINTS['0.7']] });
      });
    });
    afterAll(async () => {
      await bundler.stop();
    });

    it('makes three calls in a transaction of type 4 to itself, then in one of type 2, and is taken back', async () => {
      const { keystead, address } = await start({ bundlerUrl: bundler.url });
      expect(await capabilitiesOf(keystead, address)).toEqual({ atomic: { status: 'ready' } });
      const transactionOf = async (): Promise<Transaction> => {
        const { id } = must(await keystead.approve<{ id: string }>('wallet_sendCalls', calls(address)));
        const status = await statusOf(keystead, id);
        expect(status).toMatchObject({ status: 200, atomic: true });
        return world.chain.getTransaction({ hash: status.receipts![0]!.transactionHash });
      };
      const first = await transactionOf();
      expect(first).toMatchObject({ type: 'eip7702', to: address.toLowerCase(), from: address.toLowerCase() });
      const [authorization] = first.authorizationList!;
      expect(authorization).toMatchObject({ chainId: foundry.id, nonce: first.nonce + 1 });
      expect((await codeOf(address))?.toLowerCase()).toBe(delegationCode(DELEGATES['0.8']));
      expect(await transactionOf()).toMatchObject({ type: 'eip1559', to: address.toLowerCase() });

      const home = (await keystead.snap.onHomePage()).getInterface();
      expect(textOf(home.content)).toContain('Simple7702Account 0.8');
      expect(JSON.stringify(home.content)).toContain(`take-back:${CHAIN} ${address}`);
      expect((await keystead.call('keystead_getDelegations', {})).result).toMatchObject([
        { account: address, chainId: CHAIN, delegate: DELEGATES['0.8'], isKnown: true },
      ]);
      const undo = keystead.send('keystead_takeBackDelegation', { chainId: CHAIN, address });
      const screen = await undo.getInterface();
      expect(textOf(screen.content)).toContain('This takes the delegation of your account back on');
      await screen.ok();
      const hash = must((await undo).response as never) as Hex;
      expect(await world.chain.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
      expect(await codeOf(address)).toBeUndefined();
      expect(textOf((await keystead.snap.onHomePage()).getInterface().content)).not.toContain('Simple7702Account');

      // The first authorization is worth nothing any more: its nonce is used.
      const replay = await world.chain.sendTransaction({ to: recipient('8'), authorizationList: [authorization!] });
      await world.chain.waitForTransactionReceipt({ hash: replay });
      expect(await codeOf(address)).toBeUndefined();
    });

    it('has no paymaster service', async () => {
      const { keystead, address } = await start({ bundlerUrl: bundler.url });
      const capabilities = { paymasterService: { url: world.paymasterUrl, context: {} } };
      const { error } = await keystead.ask('wallet_sendCalls', calls(address, { capabilities }), LOCAL);
      expect(error).toMatchObject({ code: 5700 });
    });
  });

  it('has no user operations and no atomic calls behind a node without EIP-7702', async () => {
    const node = await startFaultyService(world.rpcUrl);
    node.fault = (request, response) => {
      const { id, method, params } = request;
      if (method === 'eth_getBlockByNumber') reply(response, { id, result: { number: '0x1' } });
      else if (method === 'eth_call' && JSON.stringify(params).includes('authorizationList'))
        reply(response, { id, result: '0x' });
      else return false;
      return true;
    };
    try {
      const { keystead, address } = await start({ rpcUrl: node.url });
      expect(await capabilitiesOf(keystead, address)).toEqual({ atomic: { status: 'unsupported' } });
      expect((await keystead.ask('wallet_sendCalls', calls(address))).error).toMatchObject({ code: 5760 });
      const prepared = await keystead.ask('eth_prepareUserOperation', [
        { to: recipient('1'), value: '0x1', data: '0x' },
      ]);
      expect(prepared.error?.message).toContain('EIP-7702');
      expect(node.asked).not.toContain('eth_sendRawTransaction');
    } finally {
      await node.stop();
    }
  });

  it('signs nothing if the bundler ignores the authorization', async () => {
    const bundler = await serveJsonRpc(async ({ id, method, params }, response) => {
      const [operation, ...rest] = params as Record<string, Json>[];
      const { eip7702Auth: _ignored, ...without } = operation ?? {};
      const changed = operation === undefined ? [] : [without, ...rest];
      const real = await fetch(world.bundlerUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params: changed }),
      });
      reply(response, (await real.json()) as object);
    });
    try {
      const { keystead, address } = await start({ bundlerUrl: bundler.url });
      const { error } = await keystead.ask('wallet_sendCalls', calls(address));
      expect(error?.message).toContain('sender has no code');
      expect(await codeOf(address)).toBeUndefined();
    } finally {
      await bundler.stop();
    }
  });

  it('lets the user add a delegate whose code holds, and remove it', async () => {
    const { keystead } = await start();
    const add = (address: Hex) => keystead.send('keystead_addDelegate', { chainId: CHAIN, address });
    const rules: [Hex, RegExp][] = [
      [recipient('8'), /no code/u],
      [ENTRY_POINTS['0.8'], /entryPoint\(\)/u],
      [DELEGATES['0.8'], /on the list already/u],
    ];
    for (const [address, rule] of rules)
      expect((await add(address)).response).toMatchObject({
        error: { message: expect.stringMatching(rule) as string },
      });
    const copy = recipient('c');
    await world.chain.setCode({ address: copy, bytecode: (await codeOf(DELEGATES['0.8'])) ?? '0x' });
    const request = add(copy);
    const screen = await request.getInterface();
    expect(textOf(screen.content)).toContain('The code is that of Simple7702Account 0.8.');
    await screen.ok();
    await request;
    expect((await keystead.call('keystead_getDelegates', {})).result).toMatchObject([{ address: copy }]);
    const removal = keystead.send('keystead_removeDelegate', { chainId: CHAIN, address: copy });
    await (await removal.getInterface()).ok();
    await removal;
    expect((await keystead.call('keystead_getDelegates', {})).result).toEqual([]);
    for (const method of ['keystead_addDelegate', 'keystead_takeBackDelegation'])
      expect((await keystead.ask(method, { chainId: CHAIN, address: copy })).error).toMatchObject({ code: 4200 });
  });

  it('prepares, patches and signs operations for a site, whose hash covers the delegate', async () => {
    const { keystead, address } = await start();
    const details = must(
      await keystead.ask<Record<'callData' | 'initCode' | 'nonce', Hex> & { gasLimits: object }>(
        'eth_prepareUserOperation',
        [{ to: recipient('1'), value: '0x1', data: '0x' }],
      ),
    );
    expect(details.initCode).toBe(`0x7702${'0'.repeat(36)}`);
    const operation = {
      sender: address,
      nonce: details.nonce,
      initCode: details.initCode,
      callData: details.callData,
      ...details.gasLimits,
      maxFeePerGas: '0x12a05f200',
      maxPriorityFeePerGas: '0x3b9aca00',
      paymasterAndData: '0x',
      signature: '0x',
    };
    for (const initCode of [`${details.initCode}cafe`, `${recipient('9')}cafe`]) {
      const { error } = await keystead.ask('eth_signUserOperation', [{ ...operation, initCode }]);
      expect(error?.data).toMatchObject({ field: 'userOperation.initCode' });
    }
    const request = keystead.dapp('eth_signUserOperation', [operation] as unknown as Json);
    const screen = await request.getInterface();
    expect(textOf(screen.content)).toContain('Simple7702Account 0.8, from this operation on');
    await screen.ok();
    expect((await request).response).toHaveProperty('result');
    expect(await codeOf(address)).toBeUndefined();
  });
});
