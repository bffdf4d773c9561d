import { type Json } from '@metamask/snaps-sdk';
import { createWalletClient, custom, type Hex, numberToHex, parseEther, publicActions, type Transaction } from 'viem';
import { foundry } from 'viem/chains';

import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { delegationCode } from '../../../src/core/eth/authorization';
import { startAnvil } from '../../../src/devnet/anvil';
import { DAPP, type ForDapps, LOCAL_PAGE } from '../../support/dapp';
import { DEVELOPMENT_CHAIN } from '../../support/development-chain';
import { type LocalServer, reply, serveJsonRpc } from '../../support/json-rpc-server';
import { textOf } from '../../support/screen-text';
import { chainClient, deployDelegate } from '../../support/chain/contracts';
import { callsOf, recipient, startAccount, statusOf, takeBack } from '../../support/chain/delegated-account';
import { startFaultyService } from '../../support/chain/faulty';
import { describeWithPeers } from '../../support/chain/peers';
import { describeNightly, onlyNightly } from '../../support/nightly';
import { CHAIN, must } from '../../support/chain/smart-wallet';
import { sharedWorld } from '../../support/chain/shared-world';
import { type World } from '../../support/chain/world';

const OTHER_ID = 31_338;
const OTHER_CHAIN = `eip155:${OTHER_ID}`;
const ASKING = ['eth_sendTransaction', 'wallet_sendCalls'];

describeWithPeers('an externally owned account with a delegate (EIP-7702), on a real chain', () => {
  let world: World;
  beforeAll(async () => {
    world = await sharedWorld();
  });

  const codeOf = (address: Hex) => world.chain.getCode({ address });

  const capabilitiesOf = async ({ ask }: ForDapps, address: Hex) =>
    must(await ask<Record<string, Json>>('wallet_getCapabilities', [address]))['0x7a69'];

  it.each<readonly ['0.8' | '0.9', '0.7' | '0.9']>([['0.8', '0.7'], ...onlyNightly(['0.9', '0.9'])])(
    'makes three calls in its first user operation, of entry point %s, then without authorization',
    async (version, configured) => {
      const { keystead, address } = await startAccount(world, { entryPointVersion: configured });
      expect(await capabilitiesOf(keystead, address)).toEqual({
        atomic: { status: 'ready' },
        paymasterService: { supported: true },
      });
      const request = keystead.dapp('wallet_sendCalls', callsOf(address));
      const screen = await request.getInterface();
      const text = textOf(screen.content);
      expect(text).toContain(`This upgrades your account on`);
      expect(text).toContain('Network 31337');
      expect(text).toContain('Authorization stays valid');
      expect(text).toContain(`Simple7702Account ${version}`);
      expect(text).toContain('You can take it back');
      await screen.ok();
      const { id } = must((await request).response as never) as { id: string };
      expect(await statusOf(keystead, world.chain, id)).toMatchObject({ status: 200, atomic: true });
      expect((await codeOf(address))?.toLowerCase()).toBe(delegationCode(DELEGATES[version]));
      expect(await world.chain.getTransactionCount({ address })).toBe(1);
      expect(await capabilitiesOf(keystead, address)).toMatchObject({ atomic: { status: 'supported' } });

      const second = keystead.dapp('wallet_sendCalls', callsOf(address));
      const again = await second.getInterface();
      expect(textOf(again.content)).not.toContain('This upgrades your account');
      await again.ok();
      const { id: secondId } = must((await second).response as never) as { id: string };
      expect(await statusOf(keystead, world.chain, secondId)).toMatchObject({ status: 200, atomic: true });
      expect(await world.chain.getTransactionCount({ address })).toBe(1);
    },
  );

  it('is sponsored without any funds, by the service that the site names', async () => {
    const { keystead, address } = await startAccount(world, {}, 0n);
    const capabilities = { paymasterService: { url: world.paymasterUrl, context: {} } };
    const request = callsOf(address, { calls: [{ to: recipient('4'), data: '0xabcd' }], capabilities });
    const { id } = must(await keystead.approve<{ id: string }>('wallet_sendCalls', request, LOCAL_PAGE));
    expect(await statusOf(keystead, world.chain, id, LOCAL_PAGE)).toMatchObject({ status: 200 });
    expect(await world.chain.getBalance({ address })).toBe(0n);
    expect((await codeOf(address))?.toLowerCase()).toBe(delegationCode(DELEGATES['0.8']));
  });

  it('sends a transaction as an operation where a paymaster is set up', async () => {
    const { keystead, address } = await startAccount(world, { paymasterUrl: world.paymasterUrl }, 0n);
    const transaction = [{ from: address, to: recipient('5'), data: '0xabcd' }];
    const hash = must(await keystead.approve<Hex>('eth_sendTransaction', transaction));
    const receipt = await world.chain.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    expect((await codeOf(address))?.toLowerCase()).toBe(delegationCode(DELEGATES['0.8']));
  });

  it("works with viem's sendCalls and waitForCallsStatus", async () => {
    const { keystead, address } = await startAccount(world);
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
    const before = await world.chain.getBalance({ address: recipient('7') });
    const { id } = await dapp.sendCalls({
      calls: [
        { to: recipient('6'), value: 1n },
        { to: recipient('7'), value: 2n },
      ],
      forceAtomic: true,
    });
    expect(await dapp.waitForCallsStatus({ id })).toMatchObject({ statusCode: 200, atomic: true, chainId: foundry.id });
    expect((await world.chain.getBalance({ address: recipient('7') })) - before).toBe(2n);
  });

  it('does not upgrade for calls that need not be atomic', async () => {
    const { keystead, address } = await startAccount(world);
    const { id } = must(
      await keystead.approve<{ id: string }>('wallet_sendCalls', callsOf(address, { atomicRequired: false }), DAPP, 3),
    );
    expect(await statusOf(keystead, world.chain, id)).toMatchObject({ status: 200, atomic: false });
    expect(await codeOf(address)).toBeUndefined();
  });

  it('refuses user operations of an account that runs foreign code, and sends its transactions', async () => {
    const { keystead, address } = await startAccount(world);
    await world.chain.setCode({ address, bytecode: delegationCode(recipient('d')) });
    expect(await capabilitiesOf(keystead, address)).toEqual({ atomic: { status: 'unsupported' } });
    const refused = await keystead.ask('wallet_sendCalls', callsOf(address));
    expect(refused.error).toMatchObject({ code: 5760 });
    expect(refused.error?.message.toLowerCase()).toContain(recipient('d'));
    const prepared = await keystead.ask('eth_prepareUserOperation', [{ to: recipient('1'), value: '0x1', data: '0x' }]);
    expect(prepared.error?.message.toLowerCase()).toContain(recipient('d'));
  });

  describeNightly('on two networks', () => {
    it('is upgraded and taken back on each of them by itself', async () => {
      const { keystead, address } = await startAccount(world);
      const otherAnvil = await startAnvil({ chainId: OTHER_ID });
      try {
        const other = chainClient(otherAnvil.url, OTHER_ID);
        await deployDelegate(other, '0.8');
        await other.setBalance({ address, value: parseEther('5') });
        must(await keystead.approve('keystead_setChain', { chainId: OTHER_CHAIN, rpcUrl: otherAnvil.url }, LOCAL_PAGE));
        const stateOf = async (client: typeof other) => [
          (await client.getCode({ address }))?.toLowerCase(),
          await client.getTransactionCount({ address }),
        ];
        const delegatedOn = async () => {
          const { result } = await keystead.call<{ chainId: string }[]>('keystead_getDelegations', {});
          return result!.map(({ chainId }) => chainId);
        };
        /** @returns The authorization that the chain has of the account. */
        const upgradeOn = async (client: typeof other, chainId: Hex) => {
          const { id } = must(
            await keystead.approve<{ id: string }>('wallet_sendCalls', callsOf(address, { chainId })),
          );
          const { status, receipts } = await statusOf(keystead, client, id);
          expect(status).toBe(200);
          const { authorizationList } = await client.getTransaction({ hash: receipts![0]!.transactionHash });
          return authorizationList![0]!;
        };
        /** Somebody else sends an authorization. */
        const sendTo = async (client: typeof other, authorization: Awaited<ReturnType<typeof upgradeOn>>) => {
          const hash = await client.sendTransaction({ to: recipient('8'), authorizationList: [authorization] });
          expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
        };
        const upgraded = delegationCode(DELEGATES['0.8']);

        const first = await upgradeOn(world.chain, '0x7a69');
        expect(first).toMatchObject({ chainId: foundry.id, nonce: 0 });
        expect(await delegatedOn()).toEqual([CHAIN]);
        // Its nonce is the right one there, but not its network.
        await sendTo(other, first);
        expect(await stateOf(other)).toEqual([undefined, 0]);

        const second = await upgradeOn(other, numberToHex(OTHER_ID));
        expect(second).toMatchObject({ chainId: OTHER_ID, nonce: 1 });
        expect(await delegatedOn()).toEqual([CHAIN, OTHER_CHAIN]);
        await sendTo(world.chain, second);
        expect(await stateOf(world.chain)).toEqual([upgraded, 1]);
        expect(await stateOf(other)).toEqual([upgraded, 2]);

        await takeBack(keystead, other, address, OTHER_CHAIN);
        expect(await delegatedOn()).toEqual([CHAIN]);
        expect(await stateOf(world.chain)).toEqual([upgraded, 1]);
        expect(await stateOf(other)).toEqual([undefined, 4]);

        // What upgraded it once does not do so again.
        await sendTo(other, second);
        expect(await stateOf(other)).toEqual([undefined, 4]);
        await takeBack(keystead, world.chain, address);
        await sendTo(world.chain, first);
        expect(await stateOf(world.chain)).toEqual([undefined, 3]);
        expect(await delegatedOn()).toEqual([]);
      } finally {
        await otherAnvil.stop();
      }
    });
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
      const { keystead, address } = await startAccount(world, { bundlerUrl: bundler.url });
      expect(await capabilitiesOf(keystead, address)).toEqual({ atomic: { status: 'ready' } });
      const transactionOf = async (): Promise<Transaction> => {
        const { id } = must(await keystead.approve<{ id: string }>('wallet_sendCalls', callsOf(address)));
        const status = await statusOf(keystead, world.chain, id);
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
      expect(textOf(screen.content)).toContain('This takes back the upgrade (EIP-7702) of your account on');
      await screen.ok();
      const hash = must((await undo).response as never) as Hex;
      expect(await world.chain.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
      expect(await codeOf(address)).toBeUndefined();
      const after = (await keystead.snap.onHomePage()).getInterface();
      expect(JSON.stringify(after.content)).not.toContain('take-back:');

      // The first authorization is worth nothing any more: its nonce is used.
      const replay = await world.chain.sendTransaction({ to: recipient('8'), authorizationList: [authorization!] });
      await world.chain.waitForTransactionReceipt({ hash: replay });
      expect(await codeOf(address)).toBeUndefined();
    });

    it('has no paymaster service', async () => {
      const { keystead, address } = await startAccount(world, { bundlerUrl: bundler.url });
      const capabilities = { paymasterService: { url: world.paymasterUrl, context: {} } };
      const { error } = await keystead.ask('wallet_sendCalls', callsOf(address, { capabilities }), LOCAL_PAGE);
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
      const { keystead, address } = await startAccount(world, { rpcUrl: node.url });
      expect(await capabilitiesOf(keystead, address)).toEqual({ atomic: { status: 'unsupported' } });
      expect((await keystead.ask('wallet_sendCalls', callsOf(address))).error).toMatchObject({ code: 5760 });
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
      const { keystead, address } = await startAccount(world, { bundlerUrl: bundler.url });
      const { error } = await keystead.ask('wallet_sendCalls', callsOf(address));
      expect(error?.message).toContain('sender has no code');
      expect(await codeOf(address)).toBeUndefined();
    } finally {
      await bundler.stop();
    }
  });

  it('lets the user add a delegate whose code holds, and remove it', async () => {
    const { keystead } = await startAccount(world);
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
    for (const part of ['The code is that of Simple7702Account 0.8.', 'Network 31337'])
      expect(textOf(screen.content)).toContain(part);
    await screen.ok();
    await request;
    expect((await keystead.call('keystead_getDelegates', {})).result).toMatchObject([{ address: copy }]);
    const removal = keystead.send('keystead_removeDelegate', { chainId: CHAIN, address: copy });
    const question = await removal.getInterface();
    expect(textOf(question.content)).toContain('Network 31337');
    await question.ok();
    await removal;
    expect((await keystead.call('keystead_getDelegates', {})).result).toEqual([]);
    for (const method of ['keystead_addDelegate', 'keystead_takeBackDelegation'])
      expect((await keystead.ask(method, { chainId: CHAIN, address: copy })).error).toMatchObject({ code: 4200 });
  });

  it('prepares, patches and signs operations for a site, whose hash covers the delegate', async () => {
    const { keystead, address } = await startAccount(world);
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
