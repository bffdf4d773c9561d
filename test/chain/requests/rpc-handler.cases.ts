import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { createWalletClient, custom, encodeFunctionData, type Hex, parseAbi, parseEther, publicActions } from 'viem';
import { foundry } from 'viem/chains';

import { ACCOUNT_VERSIONS } from '../../../src/core/erc4337/entry-points';
import { type Answer } from '../../support/wallet/installed';
import { DAPP, type ForDapps, installForDapps, LOCAL_PAGE } from '../../support/dapp';
import { DEVELOPMENT_CHAIN } from '../../support/development-chain';
import { describeWithPeers } from '../../support/chain/peers';
import { sharedWorld } from '../../support/chain/shared-world';
import { type World } from '../../support/chain/world';
import { CHAIN, must } from '../../support/chain/smart-wallet';

const recipient = (digit: string): Hex => `0x${digit.repeat(40)}`;

/** The methods that show a dialog. All others are answered immediately. */
const ASKING = ['eth_sendTransaction', 'wallet_sendCalls', 'personal_sign', 'eth_signTypedData_v4'];

/** A dapp that knows viem only, and the person at the wallet, who approves each dialog. */
function dappOf({ approve, ask }: ForDapps, account: Hex, dialogs = 1) {
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const answer = ASKING.includes(method)
      ? await approve(method, params as Json, DAPP, dialogs)
      : await ask(method, params as Json);
    if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer.result;
  };
  return createWalletClient({
    account,
    chain: DEVELOPMENT_CHAIN,
    transport: custom({ request }),
    pollingInterval: 50,
  }).extend(publicActions);
}

describeWithPeers('a dapp that calls the RPC handler, on a real chain through a real bundler', () => {
  let world: World;
  beforeAll(async () => {
    world = await sharedWorld();
  });
  const balanceOf = (address: Hex) => world.chain.getBalance({ address });

  /** The snap with the chain set up by the dapp itself. */
  async function install(change: Record<string, Json> = {}): Promise<ForDapps> {
    const keystead = await installForDapps();
    const params = { chainId: CHAIN, rpcUrl: world.rpcUrl, bundlerUrl: world.bundlerUrl, ...change };
    must(await keystead.approve('keystead_setChain', params, LOCAL_PAGE));
    return keystead;
  }

  describe('with an externally owned account', () => {
    let keystead: ForDapps;
    let address: Hex;
    beforeAll(async () => {
      keystead = await install();
      address = (await keystead.create()).address as Hex;
      await world.chain.setBalance({ address, value: parseEther('5') });
      await keystead.connect();
    });

    it('sends a transaction, whose nonce, gas and fees are filled in', async () => {
      const dapp = dappOf(keystead, address);
      const before = await balanceOf(recipient('a'));
      const hash = await dapp.sendTransaction({ to: recipient('a'), value: 7n });
      const receipt = await dapp.waitForTransactionReceipt({ hash });
      expect(receipt).toMatchObject({ status: 'success', from: address.toLowerCase(), type: 'eip1559' });
      expect((await balanceOf(recipient('a'))) - before).toBe(7n);
    });

    it('sends a legacy transaction, and one with an access list', async () => {
      const dapp = dappOf(keystead, address);
      const gasPrice = parseEther('5', 'gwei');
      const legacy = await dapp.sendTransaction({ to: recipient('a'), value: 1n, gasPrice, type: 'legacy' });
      expect(await dapp.waitForTransactionReceipt({ hash: legacy })).toMatchObject({ type: 'legacy' });
      const accessList = [{ address: recipient('a'), storageKeys: [] }];
      const listed = await dapp.sendTransaction({
        to: recipient('a'),
        value: 1n,
        gasPrice,
        accessList,
        type: 'eip2930',
      });
      expect(await dapp.waitForTransactionReceipt({ hash: listed })).toMatchObject({ type: 'eip2930' });
    });

    it('deploys a contract', async () => {
      const dapp = dappOf(keystead, address);
      const hash = await dapp.sendTransaction({ data: '0x6001600c60003960016000f300' });
      const { contractAddress } = await dapp.waitForTransactionReceipt({ hash });
      expect(await world.chain.getCode({ address: contractAddress! })).toBe('0x00');
    });

    it('sends several calls one after the other, each agreed to', async () => {
      const dapp = dappOf(keystead, address, 2);
      const balances = () => Promise.all([recipient('b'), recipient('c')].map(balanceOf));
      const [ofFirst = 0n, ofSecond = 0n] = await balances();
      const calls = [
        { to: recipient('b'), value: 1n },
        { to: recipient('c'), value: 2n },
      ];
      const { id } = await dapp.sendCalls({ calls });
      const status = await dapp.waitForCallsStatus({ id });
      expect(status).toMatchObject({ statusCode: 200, atomic: false, chainId: foundry.id, version: '2.0.0' });
      expect(status.receipts).toHaveLength(2);
      expect(await balances()).toEqual([ofFirst + 1n, ofSecond + 2n]);
    });

    it('tells what a revert says, from a call and before a transaction is asked about', async () => {
      const dapp = dappOf(keystead, address);
      const code =
        '0x7f08c379a00000000000000000000000000000000000000000000000000000000060005260206004526003602452620000006044525f5ffd';
      await world.chain.setCode({ address: recipient('d'), bytecode: code });
      await expect(dapp.call({ to: recipient('d'), data: '0x1234' })).rejects.toThrow();
      const { error } = await keystead.ask('eth_sendTransaction', [
        { from: address, to: recipient('d'), data: '0x1234' },
      ]);
      expect(error).toMatchObject({ data: { code: 'node-refused' } });
    });
  });

  describe.each([
    ...ACCOUNT_VERSIONS.map((version) => [`a SimpleAccount ${version}`, version, {}] as const),
    ['a Safe', '0.7', { kind: 'safe-0.7' }] as const,
  ])('with %s', (_title, version, kind) => {
    let keystead: ForDapps;
    let address: Hex;
    beforeAll(async () => {
      keystead = await install({ entryPointVersion: version });
      const options = { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: version, index: 3, ...kind };
      const { result } = (await keystead.call<KeyringAccount>('keyring_createAccount', {
        options,
      })) as Answer<KeyringAccount>;
      address = result!.address as Hex;
      await world.chain.setBalance({ address, value: parseEther('5') });
      expect(await keystead.connect()).toEqual([address]);
    });

    it('says what it can do', async () => {
      const capabilities = await dappOf(keystead, address).getCapabilities();
      expect(capabilities).toEqual({
        [foundry.id]: { atomic: { status: 'supported' }, paymasterService: { supported: true } },
      });
    });

    it('sends calls as one operation, which deploys the account, and reports their status', async () => {
      const dapp = dappOf(keystead, address);
      const value = version === '0.6' ? 0n : 5n;
      const before = await balanceOf(recipient('e'));
      const { id } = await dapp.sendCalls({
        calls: [
          { to: recipient('e'), value },
          { to: recipient('f'), data: '0x1234' },
        ],
        forceAtomic: true,
      });
      const status = await dapp.waitForCallsStatus({ id });
      expect(status).toMatchObject({ id, statusCode: 200, atomic: true, chainId: foundry.id, version: '2.0.0' });
      expect(status.receipts).toHaveLength(1);
      expect((await balanceOf(recipient('e'))) - before).toBe(value);
      const { transactionHash } = status.receipts![0]!;
      expect(await dapp.getTransactionReceipt({ hash: transactionHash })).toMatchObject({ status: 'success' });
    });

    it('sends a transaction as an operation, and answers the hash of the transaction it came with', async () => {
      const dapp = dappOf(keystead, address);
      const before = await balanceOf(recipient('1'));
      const hash = await dapp.sendTransaction({ to: recipient('1'), value: 3n });
      expect(await dapp.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
      expect((await balanceOf(recipient('1'))) - before).toBe(3n);
    });

    it('is sponsored by the service that the dapp names', async () => {
      const options = { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: version, index: 4, ...kind };
      const poor = (await keystead.call<KeyringAccount>('keyring_createAccount', { options })).result!;
      const local = 'http://localhost:3000';
      expect(await keystead.connect(local, [poor.id])).toContain(poor.address);
      const request = {
        version: '2.0.0',
        from: poor.address,
        chainId: '0x7a69',
        atomicRequired: true,
        calls: [{ to: recipient('2'), data: '0xabcd' }],
        capabilities: { paymasterService: { url: world.paymasterUrl, context: {} } },
      };
      const { id } = must(await keystead.approve<{ id: string }>('wallet_sendCalls', [request], local));
      const status = async () =>
        must(await keystead.ask<{ status: number }>('wallet_getCallsStatus', [id], local)).status;
      while ((await status()) === 100) await world.chain.mine({ blocks: 1 });
      expect(await status()).toBe(200);
      expect(await balanceOf(poor.address as Hex)).toBe(0n);
      const refused = {
        ...request,
        capabilities: { paymasterService: { url: world.paymasterUrl, context: { refuse: true } } },
      };
      expect((await keystead.ask('wallet_sendCalls', [refused], local)).error?.message).toContain(
        'the budget of this policy is spent',
      );
    });

    it('tells of a call that failed on the chain', async () => {
      // A contract that fails once its storage is set: estimated well, and failing when it is included.
      const target = recipient('9');
      await world.chain.setCode({ address: target, bytecode: '0x60005415600b57600080fd5b00' });
      await world.chain.setStorageAt({ address: target, index: 0, value: `0x${'00'.repeat(32)}` });
      const data = encodeFunctionData({ abi: parseAbi(['function poke()']) });
      const params = [
        { version: '2.0.0', chainId: '0x7a69', atomicRequired: true, from: address, calls: [{ to: target, data }] },
      ];
      const request = keystead.dapp('wallet_sendCalls', params as unknown as Json);
      const screen = await request.getInterface();
      await world.chain.setStorageAt({ address: target, index: 0, value: `0x${'00'.repeat(31)}01` });
      await screen.ok();
      const { result, error } = (await request).response as Answer<{ id: string }>;
      if (result === undefined) {
        // A bundler may notice before it takes the operation: then nothing was sent.
        expect(error?.data).toMatchObject({ code: 'service-refused' });
        return;
      }
      const status = async () =>
        must(await keystead.ask<{ status: number }>('wallet_getCallsStatus', [result.id])).status;
      while ((await status()) === 100) await world.chain.mine({ blocks: 1 });
      expect(await status()).toBe(500);
    });
  });
});
