import { EthErc4337AccountStruct, type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { is } from '@metamask/superstruct';
import {
  encodeAbiParameters,
  encodeFunctionData,
  hashMessage,
  hashTypedData,
  type Hex,
  hexToBytes,
  keccak256,
  parseAbi,
  parseEther,
  recoverAddress,
  toHex as viemToHex,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { NodeClient } from '../../../src/clients/node';
import { standInModule } from '../../../src/devnet/chain/state';
import { LibraryBundlerClient } from '../../../src/clients/library-bundler';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../../src/core/erc4337/hash';
import { KINDS } from '../../../src/core/kinds';
import { MODULE_4337, PROXY_FACTORY, SINGLETON } from '../../../src/core/safe/contracts';
import { ownerChangeCall, ownersAfter } from '../../../src/core/safe/owners/changes';
import { collectedFor, completeSignature } from '../../../src/core/safe/owners/collected';
import { GET_OWNERS, readOwners, type SafeOwners, THRESHOLD_SLOT } from '../../../src/core/safe/owners/owners';
import { joinSignatures, type OwnerSignature } from '../../../src/core/safe/owners/signatures';
import {
  createSignerCall,
  FALLBACK_VERIFIERS,
  SIGNER_FACTORIES,
  signerAddress,
  verifiersOf,
} from '../../../src/core/safe/passkey/signer';
import { passkeySignature, rsOfDer } from '../../../src/core/safe/passkey/webauthn';
import { ALWAYS } from '../../../src/core/safe/safe-op';
import { toHex } from '../../../src/core/eth/bytes';
import { type TypedData } from '../../../src/core/eth/typed-data';
import { confirmBySignatures, setGuardians } from '../../../src/core/safe/recovery/calls';
import { recoveryTypedData } from '../../../src/core/safe/recovery/guardian-signature';
import { readRecovery } from '../../../src/core/safe/recovery/state';
import { readProposal, writeProposal } from '../../../src/core/schemas/any-proposal';
import { isSignedBy, withSignature } from '../../../src/core/schemas/owner-signatures';
import { newMessage, type SafeMessage } from '../../../src/core/schemas/safe-message';
import { newProposal, type SafeProposal } from '../../../src/core/schemas/safe-proposal';
import { fromUserOperation, toUserOperation } from '../../../src/core/schemas/user-operation';
import { makePasskey, P256_ORDER, PASSKEY_ORIGIN } from '../../support/passkey';
import { textOf } from '../../support/screen-text';
import { DAPP, type ForDapps, installForDapps } from '../../support/dapp';
import { answers, answersHtml, type Fault, on, startFaultyService } from '../../support/chain/faulty';
import { type Answer } from '../../support/wallet/installed';
import { entryPointAbi, safeModuleAbi } from '../../support/chain/contracts';
import { person } from '../../support/chain/guarded-safe';
import { describeWithPeers } from '../../support/chain/peers';
import { joinedBySdk, openWithSdk, operationOfSdk, signedBySdk } from '../../support/chain/safe-sdk';
import {
  CHAIN,
  CHAIN_ID,
  installSmartWallet,
  must,
  operationOf,
  type SmartWallet,
  type WireOperation,
} from '../../support/chain/smart-wallet';
import { PHRASES, sharedWorld } from '../../support/chain/shared-world';
import { type World } from '../../support/chain/world';

/** The page's client of a node. The page uses browser types, which are not available here. */
type PageNode = { readonly transport: object };
type Signed = { readonly address: Hex; readonly data: Hex; readonly signature: Hex };
const { nodeOf } = jest.requireActual<{
  nodeOf: (chain: { readonly chainId: string; readonly rpcUrl: string }) => PageNode;
}>('../../../src/companion/model/node');
const { isContractSignature } = jest.requireActual<{
  isContractSignature: (signed: Signed, node: PageNode) => Promise<boolean>;
}>('../../../src/companion/model/contract-signature');
const { tryPasskey } = jest.requireActual<{
  tryPasskey: (passkey: { readonly signer: Hex }, sign: (hash: Hex) => Promise<Hex>, node: PageNode) => Promise<void>;
}>('../../../src/companion/model/passkey-owner');

const wei = (amount: bigint): Hex => `0x${amount.toString(16)}`;
const recipient = (digit: string): Hex => `0x${digit.repeat(40)}`;
const TYPED_DATA = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Mail: [{ name: 'contents', type: 'string' }],
  },
  primaryType: 'Mail',
  domain: { name: 'Ether Mail', chainId: 31_337, verifyingContract: recipient('c') },
  message: { contents: 'Hello, Bob!' },
} as const;
const MESSAGE = 'Signed by a contract';
const OWNERS = parseAbi(['function getOwners() view returns (address[])']);
const ERC_1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);

describeWithPeers('a Safe on a real chain, through a real bundler', () => {
  let world: World;
  let wallet: SmartWallet;
  let account: KeyringAccount;
  let address: Hex;

  beforeAll(async () => {
    world = await sharedWorld();
    wallet = await installSmartWallet(world);
    must(await wallet.setChain());
    account = await wallet.createSafe(0);
    address = account.address as Hex;
  });

  const personalSign = (signer = account, scope?: string) =>
    wallet.ask<Hex>(signer, 'personal_sign', [viemToHex(MESSAGE), signer.address], scope);
  const signTypedData = (signer = account) =>
    wallet.askAndApprove<Hex>(signer, 'eth_signTypedData_v4', [signer.address, TYPED_DATA]);

  const byContract = (hash: Hex, signature: Hex, contract = address) =>
    world.chain.readContract({
      address: contract,
      abi: ERC_1271,
      functionName: 'isValidSignature',
      args: [hash, signature],
    });

  async function hashByEntryPoint(operation: WireOperation): Promise<unknown> {
    const op = toUserOperation(operation);
    const pack = (high: bigint, low: bigint): Hex => `0x${((high << 128n) | low).toString(16).padStart(64, '0')}`;
    const packed = {
      ...op,
      accountGasLimits: pack(op.verificationGasLimit, op.callGasLimit),
      gasFees: pack(op.maxPriorityFeePerGas, op.maxFeePerGas),
    };
    return world.chain.readContract({
      address: ENTRY_POINTS['0.7'],
      abi: entryPointAbi('0.7'),
      functionName: 'getUserOpHash',
      args: [packed],
    });
  }

  async function carryOut(signer: KeyringAccount, intents: [Hex, bigint, Hex?][]) {
    const operation = await wallet.signedOperation(
      signer,
      intents.map(([to, value, data = '0x']) => ({ to, value: wei(value), data })),
    );
    const ours = toHex(userOperationHash(toUserOperation(operation), wallet.placeOf('0.7')));
    expect(await hashByEntryPoint(operation)).toBe(ours);
    const receipt = await wallet.include(operation, '0.7');
    expect(receipt).toMatchObject({ success: true, userOpHash: ours });
    return operation;
  }

  it('is an account that MetaMask accepts, and offers to sign messages', () => {
    expect(is(account, EthErc4337AccountStruct)).toBe(true);
    expect(account.methods).toEqual(expect.arrayContaining(['personal_sign', 'eth_signTypedData_v4']));
    expect(account.options).toMatchObject({ kind: 'safe-0.7', entryPointVersion: '0.7' });
  });

  it('has the address that its factory gives it', async () => {
    for (const salt of [0n, 5n, (1n << 256n) - 1n]) {
      const deployment = { factory: PROXY_FACTORY, owner: recipient('a'), salt };
      const create = `0x${KINDS['safe-0.7'].initCode(deployment).slice(42)}` as const;
      const { data = '0x' } = await world.chain.call({ to: PROXY_FACTORY, data: create });
      expect(KINDS['safe-0.7'].address(deployment).toLowerCase()).toBe(`0x${data.slice(-40)}`);
    }
  });

  describe('before it is deployed', () => {
    it('signs messages that a universal verifier accepts (ERC-6492)', async () => {
      const signature = must(await personalSign());
      expect(signature.endsWith('6492'.repeat(16))).toBe(true);
      expect(await world.chain.verifyMessage({ address, message: MESSAGE, signature })).toBe(true);
      expect(await world.chain.verifyMessage({ address, message: `${MESSAGE}.`, signature })).toBe(false);
      const other = (await wallet.createSafe(5)).address as Hex;
      expect(await world.chain.verifyMessage({ address: other, message: MESSAGE, signature })).toBe(false);
    });

    it('signs typed data that a universal verifier accepts', async () => {
      const signature = must(await signTypedData());
      expect(await world.chain.verifyTypedData({ ...TYPED_DATA, address, signature })).toBe(true);
      const message = { contents: 'Hello, Eve!' };
      expect(await world.chain.verifyTypedData({ ...TYPED_DATA, message, address, signature })).toBe(false);
    });
  });

  it('deploys itself with its first operation', async () => {
    await world.chain.setBalance({ address, value: parseEther('5') });
    const operation = await carryOut(account, [[recipient('1'), 1n]]);
    expect(operation.initCode).not.toBe('0x');
    const [owner] = (await world.chain.readContract({
      address,
      abi: OWNERS,
      functionName: 'getOwners',
    })) as Hex[];
    expect(owner).toBe(account.options.owner);
    expect(await world.chain.getStorageAt({ address, slot: '0x0' })).toBe(
      `0x${'0'.repeat(24)}${SINGLETON.slice(2).toLowerCase()}`,
    );
  });

  it('executes one call', async () => {
    const before = await world.chain.getBalance({ address: recipient('2') });
    const operation = await carryOut(account, [[recipient('2'), 7n]]);
    expect(operation).toMatchObject({ initCode: '0x', nonce: '0x1' });
    expect((await world.chain.getBalance({ address: recipient('2') })) - before).toBe(7n);
  });

  it('executes a batch of three, with value', async () => {
    const balances = () =>
      Promise.all(['3', '4', '5'].map((digit) => world.chain.getBalance({ address: recipient(digit) })));
    const before = await balances();
    await carryOut(account, [
      [recipient('3'), 3n],
      [recipient('4'), 3n, '0x1234'],
      [recipient('5'), 3n],
    ]);
    expect(await balances()).toEqual(before.map((balance) => balance + 3n));
  });

  it('has the module sign what the module says is signed', async () => {
    const details = must(await wallet.prepare(account, [{ to: recipient('7'), value: '0x1', data: '0x' }]));
    const operation = toUserOperation(operationOf(address, details));
    const pack = (high: bigint, low: bigint): Hex => `0x${((high << 128n) | low).toString(16).padStart(64, '0')}`;
    const byModule = await world.chain.readContract({
      address: MODULE_4337,
      abi: safeModuleAbi(),
      functionName: 'getOperationHash',
      args: [
        {
          ...operation,
          accountGasLimits: pack(operation.verificationGasLimit, operation.callGasLimit),
          gasFees: pack(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
        },
      ],
    });
    const kind = KINDS['safe-0.7'];
    expect(toHex(kind.signingDigest(new Uint8Array(32), operation, wallet.placeOf('0.7')))).toBe(byModule);
  });

  it('executes a sponsored operation of an account without money', async () => {
    must(await wallet.setChain({ paymasterUrl: world.paymasterUrl, paymasterContext: {} }));
    const poor = await wallet.createSafe(1);
    await carryOut(poor, [[recipient('6'), 0n, '0xabcd']]);
    expect(await world.chain.getCode({ address: poor.address as Hex })).toBeDefined();
  });

  describe('once it is deployed', () => {
    it('signs messages that its contract accepts (ERC-1271)', async () => {
      const signature = must(await personalSign());
      expect(signature).toHaveLength(132);
      expect(await byContract(hashMessage(MESSAGE), signature)).toBe('0x1626ba7e');
      expect(await world.chain.verifyMessage({ address, message: MESSAGE, signature })).toBe(true);
      await expect(byContract(hashMessage(`${MESSAGE}.`), signature)).rejects.toThrow();
      const sdk = await openWithSdk(address, world.rpcUrl);
      const hash = (await sdk.getSafeMessageHash(hashMessage(MESSAGE))) as Hex;
      expect(await recoverAddress({ hash, signature })).toBe(account.options.owner);
      expect(await sdk.isValidSignature(hashMessage(MESSAGE), signature)).toBe(true);
      expect(await sdk.isValidSignature(hashMessage(`${MESSAGE}.`), signature)).toBe(false);
      const ofAnother = await person('another').signMessage({ message: MESSAGE });
      expect(await sdk.isValidSignature(hashMessage(MESSAGE), ofAnother)).toBe(false);
    });

    it('signs typed data that its contract accepts', async () => {
      const signature = must(await signTypedData());
      expect(
        await byContract(
          hashTypedData({ ...TYPED_DATA, domain: { ...TYPED_DATA.domain, chainId: 31_337n } }),
          signature,
        ),
      ).toBe('0x1626ba7e');
      expect(await world.chain.verifyTypedData({ ...TYPED_DATA, address, signature })).toBe(true);
    });

    it('binds a signature to itself: it is none of its owner, and none of another Safe of the same owner', async () => {
      const options = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7', index: 0, salt: '0x99' };
      const twin = must(await wallet.call<KeyringAccount>('keyring_createAccount', { options }));
      expect(twin.options.owner).toBe(account.options.owner);
      await carryOut(twin, [[recipient('6'), 0n]]);
      const signature = must(await personalSign());
      await expect(byContract(hashMessage(MESSAGE), signature, twin.address as Hex)).rejects.toThrow();
      const owner = account.options.owner as Hex;
      expect(await world.chain.verifyMessage({ address: owner, message: MESSAGE, signature })).toBe(false);
    });
  });

  it('sets guardians in one operation, says when they begin a recovery, and cancels it in another', async () => {
    const module = standInModule();
    const node = new NodeClient({ url: world.rpcUrl });
    const read = async () => (await readRecovery(address, module, node))!;
    const guardians = ['guardian 1', 'guardian 2', 'guardian 3'].map(person);
    const chosen = { guardians: guardians.map((guardian) => guardian.address), threshold: 2n };
    const calls = setGuardians(chosen, await read());
    await carryOut(
      account,
      calls.map(({ to, value, data }) => [to, value, data]),
    );
    expect(await read()).toMatchObject({ isEnabled: true, threshold: 2n });

    const recovery = { newOwners: [recipient('b')], newThreshold: 1n };
    const data = recoveryTypedData(module, { safe: address, chainId: BigInt(foundry.id), nonce: 0n, ...recovery });
    const signatures = await Promise.all(
      guardians.slice(0, 2).map(async (guardian) => ({
        signer: guardian.address,
        signature: await guardian.signTypedData(data),
      })),
    );
    const begin = confirmBySignatures(module.address, address, recovery, signatures, { begin: true });
    await world.chain.waitForTransactionReceipt({ hash: await world.chain.sendTransaction(begin) });
    const found = must(await wallet.call<{ pending?: object }[]>('keystead_getRecoveries'));
    expect(found.filter(({ pending }) => pending !== undefined)).toMatchObject([
      { account: address.toLowerCase(), chainId: CHAIN, pending: { newOwners: recovery.newOwners } },
    ]);

    const request = wallet.send('keystead_cancelRecovery', { chainId: CHAIN, address, module: module.address });
    const screen = await request.getInterface();
    // The alarm of other dialogs asks to reject them. This one has to be approved.
    expect(textOf(screen.content)).toMatch(/^\s*Cancel the recovery that would give the account to /u);
    expect(textOf(screen.content)).not.toMatch(/reject this request|danger/iu);
    // Nothing else uses a dialog without a type, so it never waits; it has a button of its own.
    await (screen as unknown as { clickElement: (name: string) => Promise<void> }).clickElement('approve');
    const { result } = (await request).response as { result: Hex };
    await wallet.included(result);
    expect((await read()).pending).toBeUndefined();
    expect(await world.chain.readContract({ address, abi: OWNERS, functionName: 'getOwners' })).toEqual([
      account.options.owner,
    ]);
  });

  it('refuses typed data of another chain, and a contract creation', async () => {
    const typedData = { ...TYPED_DATA, domain: { ...TYPED_DATA.domain, chainId: 1 } };
    const { error } = await wallet.ask(account, 'eth_signTypedData_v4', [address, typedData]);
    expect(error).toMatchObject({ code: -32602 });
    const creation = await wallet.prepare(account, [{ value: '0x0', data: '0x6000' }]);
    expect(creation.error?.message).toContain('a Safe cannot create contracts');
  });

  it('understands its own calls only', async () => {
    const abi = parseAbi(['function executeUserOp(address to, uint256 value, bytes data, uint8 operation)']);
    const delegating = encodeFunctionData({
      abi,
      functionName: 'executeUserOp',
      args: [recipient('d'), 0n, '0x12345678', 1],
    });
    const { error } = await wallet.ask(account, 'eth_decodeUserOperationCallData', [delegating]);
    expect(error).toMatchObject({ code: -32602 });
  });

  it('signs nothing on a chain that is not its own, or not set up', async () => {
    const elsewhere = await personalSign(account, 'eip155:10');
    expect(elsewhere.error).toMatchObject({ code: -32602, data: { field: 'scope' } });
    const options = { type: 'eip155:erc4337', chainId: 'eip155:10', kind: 'safe-0.7', index: 7 };
    const lonely = must(await wallet.call<KeyringAccount>('keyring_createAccount', { options }));
    expect((await personalSign(lonely, 'eip155:10')).error?.message).toContain('eip155:10 is not');
  });

  it('signs nothing when the node does not tell whether it is deployed: it never takes that for "not"', async () => {
    const node = await startFaultyService(world.rpcUrl);
    must(await wallet.setChain({ rpcUrl: node.url }));
    node.fault = on('eth_getCode', answersHtml);
    const { result, error } = await personalSign();
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code: -32002, data: { code: 'service-failed' } });
    node.fault = () => false;
    expect(must(await personalSign())).toHaveLength(132);
    must(await wallet.setChain());
    await node.stop();
  });
});

describeWithPeers('a Safe and a dapp', () => {
  let world: World;
  let keystead: ForDapps;
  let safe: KeyringAccount;
  let address: Hex;
  beforeAll(async () => {
    world = await sharedWorld();
    keystead = await installForDapps({ secretRecoveryPhrase: PHRASES.safeOfDapp });
    const services = { chainId: CHAIN, rpcUrl: world.rpcUrl, bundlerUrl: world.bundlerUrl };
    const change = keystead.send('keystead_setChain', services);
    await (await change.getInterface()).ok();
    await change;
    safe = await keystead.create({ type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7' });
    address = safe.address as Hex;
    expect(await keystead.connect(undefined, [])).toEqual([safe.address]);
  });

  it('signs a message for it only after our own dialog', async () => {
    const { dapp } = keystead;
    const request = dapp('personal_sign', [viemToHex(MESSAGE), safe.address]);
    const screen = await request.getInterface();
    expect(textOf(screen.content)).toContain(MESSAGE);
    await screen.ok();
    const signature = (await request).response.result as Hex;
    expect(await world.chain.verifyMessage({ address, message: MESSAGE, signature })).toBe(true);
    const refused = dapp('personal_sign', [viemToHex(MESSAGE), safe.address]);
    await (await refused.getInterface()).cancel();
    expect((await refused).response.error).toMatchObject({ code: 4001 });
  });

  describe('with several owners', () => {
    const KEY_OF_SECOND: Hex = `0x${'22'.repeat(32)}`;
    const second = privateKeyToAccount(KEY_OF_SECOND);
    const third = privateKeyToAccount(`0x${'33'.repeat(32)}`);
    const chainId = viemToHex(CHAIN_ID);
    let own: Hex;

    type Status = { readonly status: number; readonly capabilities?: Json };
    const statusOf = async (id: string): Promise<Status> =>
      must(await keystead.ask<Status & Json>('wallet_getCallsStatus', [id]));

    /** Sends calls for the dapp, and approves them. @returns The id, and the text of the dialog. */
    async function sendCalls(calls: readonly { readonly to: Hex; readonly value?: Hex; readonly data?: Hex }[]) {
      const params = [{ version: '2.0.0', chainId, atomicRequired: true, calls }];
      const request = keystead.dapp('wallet_sendCalls', params as unknown as Json);
      const screen = await request.getInterface();
      await screen.ok();
      const { id } = must((await request).response as Answer<{ id: string }>);
      return { id, text: textOf(screen.content) };
    }

    async function confirmed(id: string): Promise<Status> {
      for (;;) {
        const status = await statusOf(id);
        if (status.status !== 100) return status;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }

    const readCurrent = async (): Promise<SafeOwners> => {
      const { data = '0x' } = await world.chain.call({ to: address, data: GET_OWNERS });
      const threshold = await world.chain.getStorageAt({ address, slot: THRESHOLD_SLOT });
      return readOwners(address, data, BigInt(threshold ?? 0));
    };

    type Proposed = { readonly id: string; readonly operation: Parameters<typeof toUserOperation>[0] };
    /** What the snap keeps of an operation, as a proposal with its own signature. */
    async function proposalOf(id: string): Promise<SafeProposal> {
      const all = must(await keystead.call<Proposed[] & Json>('keystead_getProposals'));
      const { operation } = all.find((one) => one.id === id)!;
      expect(operation.signature).toHaveLength(2 + 2 * 77);
      const signature: Hex = `0x${operation.signature.slice(26)}`;
      const proposal = newProposal(toUserOperation(operation), CHAIN_ID);
      return withSignature(proposal, { address: own, isContract: false, signature });
    }

    const signedBy = async (proposal: SafeProposal, owner: PrivateKeyAccount): Promise<SafeProposal> =>
      withSignature(proposal, {
        address: owner.address.toLowerCase() as Hex,
        isContract: false,
        signature: await owner.sign({ hash: proposal.hash }),
      });

    const submit = async ({ operation, validity, signatures }: SafeProposal, current: SafeOwners) =>
      new LibraryBundlerClient({ url: world.bundlerUrl }).sendUserOperation(
        { ...operation, signature: completeSignature(signatures, current, validity) },
        { version: '0.7', entryPoint: ENTRY_POINTS['0.7'], chainId: CHAIN_ID },
      );

    beforeAll(async () => {
      own = (safe.options.owner as Hex).toLowerCase() as Hex;
      await world.chain.setBalance({ address, value: parseEther('5') });
      const deploying = await sendCalls([{ to: recipient('1'), value: '0x1' }]);
      expect(await confirmed(deploying.id)).toMatchObject({ status: 200 });
    });

    it('gets a second owner from a site only with a danger in words', async () => {
      const before = await readCurrent();
      expect(before).toEqual({ owners: [own], threshold: 1 });
      const change = { kind: 'add', owner: second.address, threshold: 2 } as const;
      const call = ownerChangeCall(address, before, change);
      const { id, text } = await sendCalls([{ to: call.to, data: call.data }]);
      expect(text).toContain('This changes who controls your account.');
      expect(text).toMatch(/Add 0x\S+ as owner: 2 of 2 owners must sign\./u);
      expect(await confirmed(id)).toMatchObject({ status: 200 });
      expect(await readCurrent()).toEqual(ownersAfter(address, before, change));
    });

    it('waits for the other owner, says so, and is sent by whoever has both signatures', async () => {
      const before = await world.chain.getBalance({ address: recipient('2') });
      const { id, text } = await sendCalls([{ to: recipient('2'), value: '0x7' }]);
      expect(text).toContain('2 owners must sign before it can be sent');
      expect(await statusOf(id)).toMatchObject({
        status: 100,
        capabilities: {
          keystead: {
            remark: 'signatures-missing',
            message: expect.stringContaining('signatures of other owners') as string,
          },
        },
      });
      const current = await readCurrent();
      const proposal = await proposalOf(id);
      expect(() => completeSignature(proposal.signatures, current, proposal.validity)).toThrow(/1 more signature/u);
      // Somebody else's signature is none of an owner, on the page as on chain.
      expect(collectedFor((await signedBy(proposal, third)).signatures, current).strangers).toHaveLength(1);

      const file = writeProposal(await signedBy(proposal, second));
      const read = (await readProposal(file)) as SafeProposal;
      await submit(read, current);
      expect(await confirmed(id)).toMatchObject({ status: 200 });
      expect((await world.chain.getBalance({ address: recipient('2') })) - before).toBe(7n);
      expect(must(await keystead.call<Json[]>('keystead_getProposals'))).toEqual([]);
    });

    it('signs what the module says is signed, and what is signed for another chain is refused', async () => {
      const { id } = await sendCalls([{ to: recipient('3'), value: '0x7' }]);
      const current = await readCurrent();
      const proposal = await proposalOf(id);
      const pack = (high: bigint, low: bigint): Hex => `0x${((high << 128n) | low).toString(16).padStart(64, '0')}`;
      const { operation } = proposal;
      const accountGasLimits = pack(operation.verificationGasLimit, operation.callGasLimit);
      const gasFees = pack(operation.maxPriorityFeePerGas, operation.maxFeePerGas);
      // The module reads the validity from the signature.
      const packed = { ...operation, accountGasLimits, gasFees, signature: `0x${'00'.repeat(12)}` };
      expect(
        await world.chain.readContract({
          address: MODULE_4337,
          abi: safeModuleAbi(),
          functionName: 'getOperationHash',
          args: [packed],
        }),
      ).toBe(proposal.hash);
      const elsewhere = newProposal(operation, 1n);
      const replayed = withSignature(proposal, {
        address: second.address.toLowerCase() as Hex,
        isContract: false,
        signature: await second.sign({ hash: elsewhere.hash }),
      });
      await expect(submit(replayed, current)).rejects.toThrow(/AA24/u);
      await submit(await signedBy(proposal, second), current);
      expect(await confirmed(id)).toMatchObject({ status: 200 });
    });

    it('is the same account in Safe’s own SDK, which joins, hashes and signs as we do', async () => {
      const { id } = await sendCalls([{ to: recipient('8'), value: '0x7' }]);
      const current = await readCurrent();
      const proposal = await proposalOf(id);
      const sdk = await openWithSdk(address, world.rpcUrl, KEY_OF_SECOND);
      expect(sdk.getContractVersion()).toBe('1.4.1');
      expect((await sdk.getOwners()).map((owner) => owner.toLowerCase())).toEqual(current.owners);
      expect(await sdk.getThreshold()).toBe(current.threshold);
      expect(await sdk.getModules()).toEqual([MODULE_4337]);
      expect(await sdk.getFallbackHandler()).toBe(MODULE_4337);

      const contract = { address: recipient('9'), isContract: true, signature: `0x${'9e'.repeat(320)}` } as const;
      for (const more of [[], [contract], [contract, { ...contract, address: recipient('0') }]]) {
        const signatures = [...(await signedBy(proposal, second)).signatures, ...more];
        expect(joinedBySdk(signatures).toLowerCase()).toBe(joinSignatures(signatures));
      }

      const made = operationOfSdk(proposal);
      expect(made.getHash()).toBe(proposal.hash);
      const bounded = newProposal(proposal.operation, CHAIN_ID, { validAfter: 1, validUntil: 2 ** 47 });
      expect(operationOfSdk(bounded).getHash()).toBe(bounded.hash);

      // The second owner signs with the SDK. Our page reads it from a file, and both complete the same signature.
      const signature = await signedBySdk(made, sdk);
      const bySdk = { address: second.address.toLowerCase() as Hex, isContract: false, signature };
      const read = (await readProposal(writeProposal(withSignature(proposal, bySdk)))) as SafeProposal;
      expect(read.signatures).toHaveLength(2);
      const complete = completeSignature(read.signatures, current, ALWAYS);
      expect(operationOfSdk(read).getUserOperation().signature).toBe(complete);
      await submit(read, current);
      expect(await confirmed(id)).toMatchObject({ status: 200 });
    });

    describe('that a site asks to sign in', () => {
      const SIGN_IN = viemToHex('Sign in at 12:00');
      const ask = (method = 'personal_sign', params: Json = [SIGN_IN, address], origin?: string) =>
        keystead.dapp(method, params, origin);
      const waits = { code: -32_002, data: { code: 'signatures-missing' } };
      let message: SafeMessage;
      beforeAll(() => {
        message = newMessage({ message: SIGN_IN }, address, CHAIN_ID);
      });
      const byKey = async (owner: PrivateKeyAccount, hash = message.hash): Promise<OwnerSignature> => ({
        address: owner.address.toLowerCase() as Hex,
        isContract: false,
        signature: await owner.sign({ hash }),
      });
      const answer = (signature: Hex | null, origin = DAPP, hash = message.hash) =>
        keystead.call('keystead_answerMessage', { origin, hash, signature });
      let byOwnKey: OwnerSignature;

      it('asks the person once, keeps the message, and says that signatures are missing', async () => {
        const asking = ask();
        const screen = await asking.getInterface();
        expect(textOf(screen.content)).toContain('Sign in at 12:00');
        expect(textOf(screen.content)).toContain('2 of 2 owners must sign before the site gets it');
        await screen.ok();
        expect((await asking).response.error).toMatchObject(waits);
        expect((await ask()).response.error).toMatchObject(waits);
        const [kept] = must(await keystead.call<{ signature: Hex }[] & Json>('keystead_getProposals'));
        expect(kept).toMatchObject({ origin: DAPP, hash: message.hash, message: SIGN_IN });
        byOwnKey = { address: own, isContract: false, signature: kept!.signature };
        expect(await isSignedBy(own, message.hash, byOwnKey.signature)).toBe(true);
      });

      it.each<[string, () => Promise<Hex>]>([
        ['of one owner', () => Promise.resolve(joinSignatures([byOwnKey]))],
        ['of one owner twice', () => Promise.resolve(joinSignatures([byOwnKey, byOwnKey]))],
        ['of somebody else', async () => joinSignatures([byOwnKey, await byKey(third)])],
        [
          'for another network',
          async () =>
            joinSignatures([byOwnKey, await byKey(second, newMessage({ message: SIGN_IN }, address, 1n).hash)]),
        ],
        [
          'for another Safe',
          async () =>
            joinSignatures([
              byOwnKey,
              await byKey(second, newMessage({ message: SIGN_IN }, recipient('7'), CHAIN_ID).hash),
            ]),
        ],
        [
          'of another text',
          async () =>
            joinSignatures([byOwnKey, await byKey(second, newMessage({ message: '0x00' }, address, CHAIN_ID).hash)]),
        ],
        ['of nothing', () => Promise.resolve('0x')],
      ])('hands out no signature %s', async (_what, signature) => {
        const { error } = await answer(await signature());
        expect(error).toMatchObject({ code: -32_602, data: { field: 'signature' } });
        expect((await ask()).response.error).toMatchObject(waits);
      });

      it('gives the site the signature at once, and no other site without asking', async () => {
        expect((await answer('0x00', 'https://other.example')).error).toMatchObject({ code: -32_001 });
        const signature = joinSignatures([byOwnKey, await byKey(second)]);
        must(await answer(signature));
        expect((await ask()).response.result).toBe(signature);
        expect(await world.chain.verifyMessage({ address, message: { raw: SIGN_IN }, signature })).toBe(true);

        const other = 'https://other.example';
        await keystead.connect(other);
        const asking = ask('personal_sign', [SIGN_IN, address], other);
        const screen = await asking.getInterface();
        expect(textOf(screen.content)).toContain(other);
        await screen.cancel();
        expect((await asking).response.error).toMatchObject({ code: 4001 });
      });

      it('tells the site once if the person refuses, and asks anew afterwards', async () => {
        const typed = { ...TYPED_DATA, message: { contents: 'Sign in' } } as unknown as Json;
        const request = () => ask('eth_signTypedData_v4', [address, typed]);
        const first = request();
        await (await first.getInterface()).ok();
        expect((await first).response.error).toMatchObject(waits);
        const { hash } = newMessage({ typedData: typed as unknown as TypedData }, address, CHAIN_ID);
        must(await answer(null, DAPP, hash));
        expect(must(await keystead.call<Json[]>('keystead_getProposals'))).toEqual([]);
        expect((await request()).response.error).toMatchObject({ code: 4001 });
        const again = request();
        await (await again.getInterface()).cancel();
        expect((await again).response.error).toMatchObject({ code: 4001 });
      });

      it('refuses a message that is too long to keep', async () => {
        const long: Hex = `0x${'61'.repeat(60_000)}`;
        const { error } = (await ask('personal_sign', [long, address])).response;
        expect(error).toMatchObject({ code: -32_602, data: { field: 'message' } });
      });
    });

    describe('when another owner proposes', () => {
      const OWNED = { safe: '', account: '', chainId: CHAIN };
      const signAsOwner = (params: Record<string, unknown>) =>
        keystead.send('keystead_signAsOwner', { ...OWNED, account: address, safe: address, ...params } as Json);
      const operationTo = async (to: Hex): Promise<SafeProposal & { readonly id: string }> => {
        const { id } = await sendCalls([{ to, value: '0x7' }]);
        return { ...(await proposalOf(id)), signatures: [], id };
      };

      it.each<[string, string, RegExp, (operation: object) => Record<string, unknown>]>([
        [
          'an operation of another account',
          'params.operation.sender',
          /must be the account/u,
          (operation) => ({ operation: { ...operation, sender: recipient('6') } }),
        ],
        [
          'an operation that was sent already',
          'params.operation.nonce',
          /must be at least \d/u,
          (operation) => ({ operation: { ...operation, nonce: '0x0' } }),
        ],
        [
          'an operation of an order of its own',
          'params.operation.nonce',
          /of key 0/u,
          (operation) => ({ operation: { ...operation, nonce: '0x10000000000000000' } }),
        ],
        [
          'for another Safe with the key of this one',
          'params.account',
          /must be the Safe itself/u,
          (operation) => ({ safe: recipient('6'), operation }),
        ],
        ['two things at once', 'params', /must have one of/u, (operation) => ({ operation, message: '0x00' })],
        [
          'typed data of another network',
          'params.typedData.domain.chainId',
          /must be 31337/u,
          () => ({ typedData: { ...TYPED_DATA, domain: { ...TYPED_DATA.domain, chainId: 1 } } }),
        ],
      ])('the own key does not sign %s', async (_what, field, rule, change) => {
        const { operation } = await operationTo(recipient('4'));
        const { response } = await signAsOwner(change(fromUserOperation(operation)));
        expect(response.error).toMatchObject({
          code: -32_602,
          data: { field },
          message: expect.stringMatching(rule) as string,
        });
      });

      it('the own key signs what is shown, and the network accepts it with the signature of the other', async () => {
        const to = recipient('4');
        const before = await world.chain.getBalance({ address: to });
        const proposal = await operationTo(to);
        const asking = signAsOwner({ operation: fromUserOperation(proposal.operation) });
        const screen = await asking.getInterface();
        expect(textOf(screen.content)).toMatch(/0x4{6}/u);
        expect(textOf(screen.content)).toContain('2 owners must sign before it can be sent');
        await screen.ok();
        const signature = (await asking).response.result as Hex;
        expect(await isSignedBy(own, proposal.hash, signature)).toBe(true);
        const signed = withSignature(proposal, { address: own, isContract: false, signature });
        await submit(await signedBy(signed, second), await readCurrent());
        expect(await confirmed(proposal.id)).toMatchObject({ status: 200 });
        expect((await world.chain.getBalance({ address: to })) - before).toBe(7n);
      });

      it('a site cannot ask for it', async () => {
        const { error } = await keystead.ask('keystead_signAsOwner', { account: address });
        expect(error).toMatchObject({ code: 4200 });
      });
    });

    it('collects signatures anew if the owners changed under a proposal', async () => {
      const stale = await sendCalls([{ to: recipient('4'), value: '0x7' }]);
      const staleProposal = await signedBy(await proposalOf(stale.id), second);
      const before = await readCurrent();
      const change = { kind: 'replace', owner: second.address, by: third.address } as const;
      const call = ownerChangeCall(address, before, change);
      const { id } = await sendCalls([{ to: call.to, data: call.data }]);
      await submit(await signedBy(await proposalOf(id), second), before);
      expect(await confirmed(id)).toMatchObject({ status: 200 });
      const after = await readCurrent();
      expect(after).toEqual(ownersAfter(address, before, change));
      expect(collectedFor(staleProposal.signatures, after)).toMatchObject({
        strangers: [second.address.toLowerCase()],
        missing: 1,
      });
      expect(await confirmed(stale.id)).toMatchObject({ status: 400 });
    });

    const word = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`;
    const onOwners =
      (owners: () => readonly Hex[]): Fault =>
      (request, response) => {
        const [{ data } = {}] = request.params as [{ data?: Hex }?];
        if (request.method !== 'eth_call' || data !== GET_OWNERS) return false;
        answers(encodeAbiParameters([{ type: 'address[]' }], [owners()]))(request, response);
        return true;
      };
    it.each<[string, Fault, RegExp]>([
      [
        'about a threshold that the owners cannot reach',
        on('eth_getStorageAt', answers(word(9n))),
        /the threshold must be from 1 to 2/u,
      ],
      ['by naming an owner twice', onOwners(() => [own, own]), /must not contain an address twice/u],
      [
        'by leaving out the own key',
        onOwners(() => [second.address, third.address]),
        /own key is not one of its owners/u,
      ],
    ])('signs nothing if the node lies %s', async (_how, lie, rule) => {
      const node = await startFaultyService(world.rpcUrl);
      node.fault = lie;
      const services = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: world.bundlerUrl };
      const change = keystead.send('keystead_setChain', services);
      await (await change.getInterface()).ok();
      await change;
      const params = [
        { version: '2.0.0', chainId, atomicRequired: true, calls: [{ to: recipient('5'), value: '0x1' }] },
      ];
      const { error } = await keystead.ask('wallet_sendCalls', params);
      expect(error).toMatchObject({ code: -32002, message: expect.stringMatching(rule) as string });
      await node.stop();
    });
  });

  describe('with a passkey', () => {
    const passkey = makePasskey();
    const hash: Hex = `0x${'5e'.repeat(32)}`;
    const FACTORY = parseAbi(['function getSigner(uint256 x, uint256 y, uint176 verifiers) view returns (address)']);
    const [factory] = SIGNER_FACTORIES;
    const [verifier] = FALLBACK_VERIFIERS;

    it.each<[string, Hex]>([
      ['the precompile, then a contract', verifiersOf(true, verifier?.address)],
      ['the precompile only', verifiersOf(true, undefined)],
      ['a contract only', verifiersOf(false, verifier?.address)],
    ])('computes the signer that the factory makes, which accepts its signatures: %s', async (_what, verifiers) => {
      if (factory === undefined) throw new Error('no factory is known');
      const code = (await world.chain.getCode({ address: factory.address })) ?? '0x';
      const { point } = passkey;
      const signer = { factory: factory.address, point, verifiers };
      const computed = signerAddress(signer, code);
      expect(
        await world.chain.readContract({
          address: factory.address,
          abi: FACTORY,
          functionName: 'getSigner',
          args: [point.x, point.y, BigInt(verifiers)],
        }),
      ).toBe(computed);
      expect(() => signerAddress(signer, `${code}00`)).toThrow(/with its code/u);
      const node = nodeOf({ chainId: CHAIN, rpcUrl: world.rpcUrl });
      const trying = () =>
        tryPasskey(
          { signer: computed },
          (of) => Promise.resolve(passkeySignature(passkey.assert(hexToBytes(of)), hexToBytes(of), PASSKEY_ORIGIN)),
          node,
        );
      await expect(trying()).rejects.toThrow(/cannot sign here/u);
      const create = createSignerCall(signer);
      const sent = await world.chain.sendTransaction({ to: create.to, data: create.data });
      await world.chain.waitForTransactionReceipt({ hash: sent });
      await trying();

      const accepts = (signature: Hex, of = hash): Promise<boolean> =>
        world.chain
          .readContract({ address: computed, abi: ERC_1271, functionName: 'isValidSignature', args: [of, signature] })
          .then((answer) => answer === '0x1626ba7e');
      const made = passkey.assert(hexToBytes(hash));
      const signature = passkeySignature(made, hexToBytes(hash), PASSKEY_ORIGIN);
      expect(await accepts(signature)).toBe(true);
      expect(await accepts(signature, `0x${'5f'.repeat(32)}`)).toBe(false);
      // The contracts have no rule about s, so a signature has two forms.
      const { r, s } = rsOfDer(made.signature);
      const other = P256_ORDER - s;
      const word = (number: bigint): string => number.toString(16).padStart(64, '0');
      expect(signature).toContain(word(r) + word(s));
      expect(await accepts(signature.replace(word(r) + word(s), word(r) + word(other)) as Hex)).toBe(true);

      const data = viemToHex('what is signed');
      const valid = passkey.assert(hexToBytes(keccak256(data)));
      const bytes = passkeySignature(valid, hexToBytes(keccak256(data)), PASSKEY_ORIGIN);
      const verdict = (made: Hex) => isContractSignature({ address: computed, data, signature: made }, node);
      expect(await verdict(bytes)).toBe(true);
      const { r: itsR, s: itsS } = rsOfDer(valid.signature);
      const pair = word(itsR) + word(itsS);
      // The contract reverts for some of these, and answers no for others. Neither is an error of the node.
      const malformed: readonly Hex[] = [
        '0x',
        `0x${'00'.repeat(64)}`,
        bytes.slice(0, -64) as Hex,
        bytes.replace(pair, word(0n) + word(itsS)) as Hex,
        bytes.replace(pair, word(itsR) + word(0n)) as Hex,
        bytes.replace(pair, word(itsR) + word(P256_ORDER)) as Hex,
        bytes.replace(pair, word(P256_ORDER) + word(itsS)) as Hex,
        bytes.replace(pair, word(itsS) + word(itsR)) as Hex,
        `0x${'ff'.repeat(320)}`,
      ];
      for (const made of malformed) expect([made, await verdict(made)]).toEqual([made, false]);
    });
  });
});
