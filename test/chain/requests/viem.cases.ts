import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  custom,
  parseAbi,
  parseEther,
  publicActions,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem';
import { foundry } from 'viem/chains';

import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { createKeysteadProvider } from '../../../src/provider';
import { DEVELOPMENT_CHAIN } from '../../support/development-chain';
import { entryPointAbi } from '../../support/chain/contracts';
import { type DappPage, openDappPage } from '../../support/chain/dapp-page';
import { describeWithPeers } from '../../support/chain/peers';
import { PHRASES, sharedWorld } from '../../support/chain/shared-world';
import { type World } from '../../support/chain/world';

const recipient = (digit: string): Address => `0x${digit.repeat(40)}`;

const TYPED_DATA = {
  domain: { name: 'Dapp', version: '1', chainId: foundry.id },
  types: {
    Order: [
      { name: 'maker', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  primaryType: 'Order',
  message: { maker: recipient('3'), amount: 10n ** 21n },
} as const;

/** viem as its documentation shows it, without anything specific to Keystead. */
const viemOn = (provider: ReturnType<typeof createKeysteadProvider>, account?: Address) =>
  createWalletClient({
    ...(account && { account }),
    chain: DEVELOPMENT_CHAIN,
    transport: custom(provider),
    pollingInterval: 50,
  }).extend(publicActions);

async function failureOf(request: Promise<unknown>): Promise<BaseError> {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(BaseError);
  return error as BaseError;
}

/** @returns The provider's error code, which viem wraps in its own errors. */
async function codeOf(request: Promise<unknown>): Promise<unknown> {
  const hasCode = (cause: unknown): boolean => typeof (cause as { code?: unknown }).code === 'number';
  return ((await failureOf(request)).walk(hasCode) as { code?: number } | null)?.code;
}

describeWithPeers('viem with the provider, the built snap, a real chain and a real bundler', () => {
  let world: World;
  beforeAll(async () => {
    world = await sharedWorld();
  });
  const balanceOf = (address: Address) => world.chain.getBalance({ address });

  describe('with an externally owned account', () => {
    let page: DappPage;
    let provider: ReturnType<typeof createKeysteadProvider>;
    let viem: ReturnType<typeof viemOn>;
    beforeAll(async () => {
      page = await openDappPage(world, 'eoa', PHRASES.viem);
      provider = createKeysteadProvider();
      viem = viemOn(provider, page.address);
    });
    afterAll(() => {
      page.close();
    });

    it('finds the wallet, installs the snap and connects', async () => {
      const events: unknown[] = [];
      provider.on('connect', (info) => events.push(info));
      provider.on('accountsChanged', (accounts) => events.push(accounts));
      expect(await viem.getAddresses()).toEqual([]);
      page.refuseNext();
      expect(await codeOf(viem.requestAddresses())).toBe(4001);
      expect(await viem.requestAddresses()).toEqual([page.address]);
      expect(await viem.getAddresses()).toEqual([page.address]);
      expect(await viem.getChainId()).toBe(foundry.id);
      expect(events).toEqual([{ chainId: '0x7a69' }, [page.address]]);
      expect(await viem.getPermissions()).toMatchObject([{ parentCapability: 'eth_accounts' }]);
    });

    it('signs a message and typed data', async () => {
      const message = 'Hello from a dapp';
      const signature = await viem.signMessage({ message });
      expect(await recoverMessageAddress({ message, signature })).toBe(page.address);
      const typed = await viem.signTypedData(TYPED_DATA);
      expect(await recoverTypedDataAddress({ ...TYPED_DATA, signature: typed })).toBe(page.address);
    });

    it('rejects with 4001 if the person rejects the request', async () => {
      page.refuseNext();
      await expect(viem.signMessage({ message: 'no' })).rejects.toMatchObject({
        name: 'UserRejectedRequestError',
        code: 4001,
      });
    });

    it('sends a transaction and reads its receipt', async () => {
      const before = await balanceOf(recipient('a'));
      const hash = await viem.sendTransaction({ to: recipient('a'), value: parseEther('0.5') });
      const receipt = await viem.waitForTransactionReceipt({ hash });
      expect(receipt).toMatchObject({ status: 'success', from: page.address.toLowerCase() });
      expect((await balanceOf(recipient('a'))) - before).toBe(parseEther('0.5'));
    });

    it('watches the events of a contract and blocks, by polling', async () => {
      const abi = parseAbi([
        'function depositTo(address account) payable',
        'event Deposited(address indexed account, uint256 totalDeposit)',
      ]);
      const address = ENTRY_POINTS['0.7'];
      const polling = { pollingInterval: 50 };
      const stops: (() => void)[] = [];
      const block = new Promise((resolve) => {
        stops.push(viem.watchBlocks({ ...polling, onBlock: resolve }));
      });
      const heard = new Promise<unknown>((resolve) => {
        stops.push(
          viem.watchContractEvent({
            ...polling,
            address,
            abi,
            eventName: 'Deposited',
            fromBlock: 0n,
            args: { account: recipient('d') },
            onLogs: ([log]) => {
              resolve(log?.args.account);
            },
          }),
        );
      });
      expect(await block).toMatchObject({ hash: expect.stringMatching(/^0x/u) as string });
      await viem.writeContract({ address, abi, functionName: 'depositTo', args: [recipient('d')], value: 5n });
      expect(await heard).toMatch(/^0xd{40}$/iu);
      for (const stop of stops) stop();
    });

    it('confirms two concurrent transactions one after another, with consecutive nonces', async () => {
      const send = (value: bigint) => viem.sendTransaction({ to: recipient('b'), value });
      const hashes = await Promise.all([send(1n), send(2n)]);
      for (const hash of hashes) await viem.waitForTransactionReceipt({ hash });
      const [first, second] = await Promise.all(hashes.map((hash) => viem.getTransaction({ hash })));
      expect([first?.value, second?.value, second!.nonce - first!.nonce]).toEqual([1n, 2n, 1]);
    });

    it('sends calls as one batch, which upgrades the account first, and waits for them (EIP-7702)', async () => {
      for (const before of ['ready', 'supported']) {
        const capabilities = await viem.getCapabilities({ chainId: foundry.id });
        expect(capabilities).toEqual({ atomic: { status: before }, paymasterService: { supported: true } });
        const balance = await balanceOf(recipient('c'));
        const calls = [3n, 4n].map((value) => ({ to: recipient('c'), value }));
        const { id } = await viem.sendCalls({ forceAtomic: true, calls });
        const status = await viem.waitForCallsStatus({ id, pollingInterval: 50 });
        expect(status).toMatchObject({ status: 'success', statusCode: 200, atomic: true, chainId: foundry.id });
        expect(status.receipts).toHaveLength(1);
        expect((await balanceOf(recipient('c'))) - balance).toBe(7n);
      }
      // A single transaction is a plain one, as before.
      const hash = await viem.sendTransaction({ to: recipient('c'), value: 1n });
      const receipt = await viem.waitForTransactionReceipt({ hash });
      expect(receipt).toMatchObject({ status: 'success', from: page.address.toLowerCase() });
    });

    it('reads from the dapp’s own node if one is configured', async () => {
      const asked: string[] = [];
      const node = {
        request: ({ method, params }: { method: string; params?: unknown }) => {
          asked.push(method);
          return world.chain.request({ method, params } as never);
        },
      };
      const reading = viemOn(createKeysteadProvider({ nodes: { [foundry.id]: node } }), page.address);
      expect(await reading.getBalance({ address: page.address })).toBe(await balanceOf(page.address));
      expect(asked).toEqual(['eth_getBalance']);
    });

    it('receives the revert data of a contract through the snap', async () => {
      const asked = viem.simulateContract({
        address: ENTRY_POINTS['0.7'],
        abi: entryPointAbi('0.7'),
        functionName: 'getSenderAddress',
        args: [recipient('1')],
      });
      const error = (await failureOf(asked)).walk((cause) => cause instanceof ContractFunctionRevertedError);
      expect((error as ContractFunctionRevertedError).data).toMatchObject({ errorName: 'SenderAddressResult' });
    });

    it('rejects with 4100 after the page was disconnected', async () => {
      await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] });
      expect(await viem.getAddresses()).toEqual([]);
      expect(await codeOf(viem.signMessage({ message: 'still?' }))).toBe(4100);
    });

    it('rejects with 4900 after the snap was removed', async () => {
      const heard: number[] = [];
      provider.on('disconnect', ({ code }) => heard.push(code));
      page.removeSnap();
      await expect(provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 });
      expect(heard).toEqual([4900]);
      expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
    });
  });

  describe.each(['0.6', '0.7', '0.8'] as const)('with a smart account, entry point %s', (version) => {
    let page: DappPage;
    let viem: ReturnType<typeof viemOn>;
    beforeAll(async () => {
      page = await openDappPage(world, version, PHRASES.viem);
      const provider = createKeysteadProvider();
      await provider.request({ method: 'eth_requestAccounts' });
      viem = viemOn(provider, page.address);
    });
    afterAll(() => {
      page.close();
    });

    it('returns the capabilities of the account (EIP-5792)', async () => {
      expect(await viem.getCapabilities()).toEqual({
        [foundry.id]: { atomic: { status: 'supported' }, paymasterService: { supported: true } },
      });
    });

    it('sends calls as one batch and waits for them', async () => {
      // A batch cannot carry value with entry point 0.6.
      const values = version === '0.6' ? [0n, 0n] : [3n, 4n];
      const before = await balanceOf(recipient('e'));
      const { id } = await viem.sendCalls({
        forceAtomic: true,
        calls: values.map((value) => ({ to: recipient('e'), value })),
      });
      const status = await viem.waitForCallsStatus({ id, pollingInterval: 50 });
      expect(status).toMatchObject({ status: 'success', statusCode: 200, atomic: true, chainId: foundry.id });
      expect(status.receipts).toHaveLength(1);
      expect((await balanceOf(recipient('e'))) - before).toBe(values.reduce((sum, value) => sum + value, 0n));
      expect(await viem.getCallsStatus({ id })).toMatchObject({ id, status: 'success', version: '2.0.0' });
      const [receipt] = status.receipts ?? [];
      expect(await viem.getTransactionReceipt({ hash: receipt!.transactionHash })).toMatchObject({ status: 'success' });
      await viem.showCallsStatus({ id });
    });

    it('sends a plain transaction as a user operation', async () => {
      const before = await balanceOf(recipient('f'));
      const hash = await viem.sendTransaction({ to: recipient('f'), value: 5n });
      expect(await viem.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
      expect((await balanceOf(recipient('f'))) - before).toBe(5n);
    });

    it('rejects with the codes of EIP-5792', async () => {
      const calls = [{ to: recipient('e'), value: 0n }];
      expect(await codeOf(viem.sendCalls({ calls, chain: { ...foundry, id: 999 } }))).toBe(5710);
      expect(await codeOf(viem.sendCalls({ calls, capabilities: { auxiliaryFunds: {} } }))).toBe(5700);
      expect(await codeOf(viem.getCallsStatus({ id: '0x1234' }))).toBe(5730);
      page.refuseNext();
      expect(await codeOf(viem.sendCalls({ calls }))).toBe(4001);
    });
  });
});
