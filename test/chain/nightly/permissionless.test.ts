import {
  type Address,
  type Chain,
  createPublicClient,
  type EIP1193Provider,
  type Hex,
  http,
  type LocalAccount,
  parseEther,
  type PublicClient,
  type SignedAuthorization,
  type Transport,
} from 'viem';
import {
  createPaymasterClient,
  type EntryPointVersion,
  type PaymasterClient,
  type SmartAccount,
} from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { delegationCode } from '../../../src/core/eth/authorization';
import { DEVNET_CHAIN } from '../../../src/devnet/chain/definition';
import { createKeysteadProvider } from '../../../src/provider';
import { type DappPage, openDappPage } from '../../support/chain/dapp-page';
import { startDevnetWorld } from '../../support/chain/devnet-world';
import { describeWithPeers, peer } from '../../support/chain/peers';
import { type World } from '../../support/chain/world';

type Owner = EIP1193Provider | LocalAccount;
type EntryPoint = { readonly address: Address; readonly version: EntryPointVersion };
type Common = { readonly client: PublicClient; readonly entryPoint?: EntryPoint };
type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
type Call = { readonly to: Address; readonly value: bigint };
type SmartAccountClient = {
  readonly sendTransaction: (
    request: (Call & { readonly authorization?: SignedAuthorization }) | { readonly calls: readonly Call[] },
  ) => Promise<Hex>;
  readonly signMessage: (request: { readonly message: string }) => Promise<Hex>;
};

/** The parts of permissionless that are used here. */
type Accounts = {
  readonly toSimpleSmartAccount: (parameters: Common & { readonly owner: Owner }) => Promise<SmartAccount>;
  readonly to7702SimpleSmartAccount: (parameters: Common & { readonly owner: Owner }) => Promise<SmartAccount>;
  readonly toSafeSmartAccount: (
    parameters: Common & { readonly owners: readonly Owner[]; readonly version: '1.4.1' },
  ) => Promise<SmartAccount>;
};
type Clients = {
  readonly createSmartAccountClient: (parameters: {
    readonly account: SmartAccount;
    readonly chain: Chain;
    readonly bundlerTransport: Transport;
    readonly pollingInterval: number;
    readonly paymaster?: PaymasterClient;
    readonly userOperation: { readonly estimateFeesPerGas: () => Promise<Fees> };
  }) => SmartAccountClient;
};
type Pimlico = {
  readonly createPimlicoClient: (parameters: { readonly chain: Chain; readonly transport: Transport }) => {
    readonly getUserOperationGasPrice: () => Promise<{ readonly fast: Fees }>;
  };
};

const recipient = (digit: string): Address => `0x${digit.repeat(40)}`;
const entryPoint = (version: EntryPointVersion): EntryPoint => ({ address: ENTRY_POINTS[version], version });

describeWithPeers("permissionless with the devnet's node, bundler and paymaster", () => {
  let world: World;
  let accounts: Accounts;
  let client: PublicClient;
  beforeAll(async () => {
    world = await startDevnetWorld();
    accounts = peer<Accounts>('permissionless/accounts');
    client = createPublicClient({ chain: DEVNET_CHAIN, transport: http(world.rpcUrl), pollingInterval: 50 });
  });
  afterAll(() => world.stop());

  const balanceOf = (address: Address): Promise<bigint> => world.chain.getBalance({ address });

  /** A client as permissionless documents it, for its own bundler. */
  function clientOf(account: SmartAccount, isSponsored: boolean): SmartAccountClient {
    const { createSmartAccountClient } = peer<Clients>('permissionless');
    const { createPimlicoClient } = peer<Pimlico>('permissionless/clients/pimlico');
    const bundlerTransport = http(world.bundlerUrl);
    const pimlico = createPimlicoClient({ chain: DEVNET_CHAIN, transport: bundlerTransport });
    return createSmartAccountClient({
      account,
      chain: DEVNET_CHAIN,
      bundlerTransport,
      pollingInterval: 100,
      ...(isSponsored && { paymaster: createPaymasterClient({ transport: http(world.paymasterUrl) }) }),
      userOperation: { estimateFeesPerGas: async () => (await pimlico.getUserOperationGasPrice()).fast },
    });
  }

  /** Sends a sponsored operation of a new account, then a batch that the account pays for. */
  async function sends(account: SmartAccount, to: Address, authorization?: SignedAuthorization): Promise<void> {
    const values = account.entryPoint.version === '0.6' ? [0n, 0n] : [2n, 3n];
    // The account has what it sends, and nothing for fees.
    await world.chain.setBalance({ address: account.address, value: 1n });
    const first = { to, value: 1n, ...(authorization && { authorization }) };
    const sponsored = await clientOf(account, true).sendTransaction(first);
    expect(await client.getTransactionReceipt({ hash: sponsored })).toMatchObject({ status: 'success' });
    expect([await balanceOf(account.address), await balanceOf(to)]).toEqual([0n, 1n]);

    await world.chain.setBalance({ address: account.address, value: parseEther('1') });
    const calls = values.map((value) => ({ to, value }));
    const batch = await clientOf(account, false).sendTransaction({ calls });
    expect(await client.getTransactionReceipt({ hash: batch })).toMatchObject({ status: 'success' });
    expect(await balanceOf(to)).toBe(values.reduce((sum, value) => sum + value, 1n));
    expect(await balanceOf(account.address)).toBeLessThan(parseEther('1') - values.reduce((sum, value) => sum + value));
  }

  describe('for smart accounts that an account of Keystead owns', () => {
    let page: DappPage;
    let owner: EIP1193Provider;
    beforeAll(async () => {
      page = await openDappPage(world, 'eoa');
      owner = createKeysteadProvider({ chainId: DEVNET_CHAIN.id }) as EIP1193Provider;
      await owner.request({ method: 'eth_requestAccounts' });
    });
    afterAll(() => {
      page.close();
    });

    it.each([
      ['0.6', '6'],
      ['0.7', '7'],
      ['0.8', '8'],
    ] as const)('SimpleAccount %s is sponsored, and pays for a batch itself', async (version, digit) => {
      const account = await accounts.toSimpleSmartAccount({ client, owner, entryPoint: entryPoint(version) });
      await sends(account, recipient(digit));
    });

    it('a Safe is sponsored, pays for a batch itself, and signs a message', async () => {
      const account = await accounts.toSafeSmartAccount({ client, owners: [owner], version: '1.4.1' });
      await sends(account, recipient('5'));
      const message = 'Hello from a Safe';
      const signature = await clientOf(account, false).signMessage({ message });
      expect(await client.verifyMessage({ address: account.address, message, signature })).toBe(true);
      expect(await client.verifyMessage({ address: account.address, message: 'Another', signature })).toBe(false);
    });

    it('sends nothing if the person rejects the signature', async () => {
      const account = await accounts.toSimpleSmartAccount({ client, owner });
      page.refuseNext();
      await expect(clientOf(account, true).sendTransaction({ to: recipient('4'), value: 0n })).rejects.toThrow(
        /rejected/u,
      );
    });
  });

  it('a delegated account with a key of its own is upgraded by a sponsored operation', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const account = await accounts.to7702SimpleSmartAccount({ client, owner });
    expect(account.address).toBe(owner.address);
    const chainId = DEVNET_CHAIN.id;
    const authorization = await owner.signAuthorization({ address: DELEGATES['0.8'], chainId, nonce: 0 });
    await sends(account, recipient('9'), authorization);
    expect(await client.getCode({ address: owner.address })).toBe(delegationCode(DELEGATES['0.8']));
  });
});
