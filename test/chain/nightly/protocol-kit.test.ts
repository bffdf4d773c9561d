import { type Address, type EIP1193Provider, getCreate2Address, type Hex, keccak256, parseAbi, zeroHash } from 'viem';

import { MODULE_4337, MULTI_SEND_CALL_ONLY, PROXY_FACTORY, SINGLETON } from '../../../src/core/safe/contracts';
import { DEVNET_CHAIN } from '../../../src/devnet/chain/definition';
import { createKeysteadProvider } from '../../../src/provider';
import { MULTI_SEND, SAFE_SDK_CONTRACTS } from '../../support/chain/contracts';
import { type DappPage, openDappPage } from '../../support/chain/dapp-page';
import { startDevnetWorld } from '../../support/chain/devnet-world';
import { describeWithPeers, peer } from '../../support/chain/peers';
import { type World } from '../../support/chain/world';

type MetaTransaction = {
  readonly to: string;
  readonly value: string;
  readonly data: string;
  readonly operation?: number;
};
type SafeTransaction = { readonly data: MetaTransaction; readonly signatures: ReadonlyMap<string, object> };
type SafeMessage = { readonly data: unknown; readonly encodedSignatures: () => string };
type Sent = { readonly hash: Hex };

/** The parts of protocol-kit that are used here. */
type Safe = {
  readonly connect: (config: { readonly safeAddress: string }) => Promise<Safe>;
  readonly getAddress: () => Promise<Address>;
  readonly getNonce: () => Promise<number>;
  readonly getFallbackHandler: () => Promise<string>;
  readonly createSafeDeploymentTransaction: () => Promise<MetaTransaction>;
  readonly createTransaction: (request: {
    readonly transactions: readonly MetaTransaction[];
  }) => Promise<SafeTransaction>;
  readonly signTransaction: (transaction: SafeTransaction) => Promise<SafeTransaction>;
  readonly isValidTransaction: (transaction: SafeTransaction) => Promise<boolean>;
  readonly executeTransaction: (transaction: SafeTransaction) => Promise<Sent>;
  readonly createMessage: (message: string) => SafeMessage;
  readonly signMessage: (message: SafeMessage) => Promise<SafeMessage>;
  readonly isValidSignature: (hash: string, signature: string) => Promise<boolean>;
  readonly getSafeProvider: () => object;
};
type EncodedBy = { readonly encode: (name: string, args: readonly unknown[]) => Hex; readonly contractAddress: string };
type Kit = {
  readonly default: { readonly init: (config: object) => Promise<Safe> };
  readonly hashSafeMessage: (message: string) => Hex;
  readonly estimateSafeTxGas: (safe: Safe, transaction: SafeTransaction) => Promise<string>;
  readonly getSignMessageLibContract: (request: object) => Promise<EncodedBy>;
  readonly getCreateCallContract: (request: object) => Promise<EncodedBy>;
};

const handlerAddress = SAFE_SDK_CONTRACTS['handler/CompatibilityFallbackHandler'];
const signMessageLibAddress = SAFE_SDK_CONTRACTS['libraries/SignMessageLib'];
const createCallAddress = SAFE_SDK_CONTRACTS['libraries/CreateCall'];

/** What protocol-kit takes for a network that Safe does not list. */
const CONTRACT_NETWORKS = {
  [DEVNET_CHAIN.id.toString()]: {
    safeSingletonAddress: SINGLETON,
    safeProxyFactoryAddress: PROXY_FACTORY,
    multiSendAddress: MULTI_SEND,
    multiSendCallOnlyAddress: MULTI_SEND_CALL_ONLY,
    fallbackHandlerAddress: handlerAddress,
    // Its own ABI of this handler has the function twice, which viem refuses.
    fallbackHandlerAbi: parseAbi([
      'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4 magicValue)',
    ]),
    signMessageLibAddress,
    createCallAddress,
    simulateTxAccessorAddress: SAFE_SDK_CONTRACTS['accessors/SimulateTxAccessor'],
  },
};
const RECIPIENT = `0x${'6'.repeat(40)}` as const;
const DELEGATE_CALL = 1;
/** Init code of a contract whose code is the byte 00. */
const INIT_CODE: Hex = '0x60015ff3';

describeWithPeers("Safe's protocol-kit on the devnet, with an account of Keystead as the owner", () => {
  let world: World;
  let page: DappPage;
  let safe: Safe;
  const kit = (): Kit => peer<Kit>('@safe-global/protocol-kit');
  beforeAll(async () => {
    world = await startDevnetWorld();
    page = await openDappPage(world, 'eoa');
    const provider = createKeysteadProvider({ chainId: DEVNET_CHAIN.id }) as EIP1193Provider;
    await provider.request({ method: 'eth_requestAccounts' });
    const config = { provider, signer: page.address, contractNetworks: CONTRACT_NETWORKS };
    const safeAccountConfig = { owners: [page.address], threshold: 1 };
    const predicted = await kit().default.init({ ...config, predictedSafe: { safeAccountConfig } });
    const { to, value, data } = await predicted.createSafeDeploymentTransaction();
    const transaction = { from: page.address, to, value: `0x${BigInt(value).toString(16)}`, data };
    const hash = (await provider.request({ method: 'eth_sendTransaction', params: [transaction as never] })) as Hex;
    await world.chain.waitForTransactionReceipt({ hash });
    safe = await predicted.connect({ safeAddress: await predicted.getAddress() });
    await world.chain.setBalance({ address: await safe.getAddress(), value: 100n });
  });
  afterAll(async () => {
    page.close();
    await world.stop();
  });

  /** Signs and executes calls in the SDK. */
  async function execute(transactions: readonly MetaTransaction[]): Promise<void> {
    const signed = await safe.signTransaction(await safe.createTransaction({ transactions }));
    const { hash } = await safe.executeTransaction(signed);
    expect(await world.chain.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
  }

  it('deploys a Safe with the handler of Safe’s own app', async () => {
    expect(await safe.getFallbackHandler()).toBe(handlerAddress);
    expect(await safe.getFallbackHandler()).not.toBe(MODULE_4337);
    expect(await safe.getNonce()).toBe(0);
  });

  it('creates, simulates, signs and executes a batch', async () => {
    const call = { to: RECIPIENT, value: '3', data: '0x' };
    const transaction = await safe.createTransaction({ transactions: [call, call] });
    // Simulated by SimulateTxAccessor.
    expect(Number(await kit().estimateSafeTxGas(safe, transaction))).toBeGreaterThan(21_000);
    const signed = await safe.signTransaction(transaction);
    expect(signed.signatures.size).toBe(1);
    expect(await safe.isValidTransaction(signed)).toBe(true);
    const { hash } = await safe.executeTransaction(signed);
    expect(await world.chain.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
    expect(await world.chain.getBalance({ address: RECIPIENT })).toBe(6n);
  });

  it('a simulation shows that a transaction would fail', async () => {
    const transaction = await safe.createTransaction({ transactions: [{ to: RECIPIENT, value: '1000', data: '0x' }] });
    expect(await safe.isValidTransaction(await safe.signTransaction(transaction))).toBe(false);
  });

  it('signs a message that its contract accepts, off the chain', async () => {
    const signed = await safe.signMessage(safe.createMessage('Hello'));
    const signature = signed.encodedSignatures() as Hex;
    const verify = (message: string): Promise<boolean> =>
      safe.getAddress().then((address) => world.chain.verifyMessage({ address, message, signature }));
    expect(await verify('Hello')).toBe(true);
    expect(await verify('Hello!')).toBe(false);
    expect(await safe.isValidSignature(kit().hashSafeMessage('Hello'), signature)).toBe(true);
    expect(await safe.isValidSignature(kit().hashSafeMessage('Hello!'), signature)).toBe(false);
  });

  it('signs a message on the chain (SignMessageLib)', async () => {
    const safeProvider = safe.getSafeProvider();
    const library = await kit().getSignMessageLibContract({
      safeProvider,
      safeVersion: '1.4.1',
      customContracts: CONTRACT_NETWORKS[DEVNET_CHAIN.id.toString()],
    });
    expect(library.contractAddress).toBe(signMessageLibAddress);
    const hash = kit().hashSafeMessage('On the chain');
    const data = library.encode('signMessage', [hash]);
    expect(await safe.isValidSignature(hash, '0x')).toBe(false);
    await execute([{ to: signMessageLibAddress, value: '0', data, operation: DELEGATE_CALL }]);
    expect(await safe.isValidSignature(hash, '0x')).toBe(true);
  });

  it('creates a contract (CreateCall)', async () => {
    const library = await kit().getCreateCallContract({
      safeProvider: safe.getSafeProvider(),
      safeVersion: '1.4.1',
      customContracts: CONTRACT_NETWORKS[DEVNET_CHAIN.id.toString()],
    });
    const data = library.encode('performCreate2', ['0', INIT_CODE, zeroHash]);
    await execute([{ to: createCallAddress, value: '0', data }]);
    const address = getCreate2Address({ from: createCallAddress, salt: zeroHash, bytecodeHash: keccak256(INIT_CODE) });
    expect(await world.chain.getCode({ address })).toBe('0x00');
  });
});
