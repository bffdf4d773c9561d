import { EthErc4337AccountStruct, type KeyringAccount } from '@metamask/keyring-api';
import { is } from '@metamask/superstruct';
import {
  encodeFunctionData,
  hashMessage,
  hashTypedData,
  type Hex,
  parseAbi,
  parseEther,
  toHex as viemToHex,
} from 'viem';

import { foundry } from 'viem/chains';

import { NodeClient } from '../../src/clients/node';
import { standInModule } from '../../src/devnet/chain/state';
import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../src/core/erc4337/hash';
import { KINDS } from '../../src/core/erc4337/kinds';
import { MODULE_4337, PROXY_FACTORY, SINGLETON } from '../../src/core/erc4337/safe/contracts';
import { toHex } from '../../src/core/eth/bytes';
import { confirmBySignatures, setGuardians } from '../../src/core/recovery/calls';
import { recoveryTypedData } from '../../src/core/recovery/guardian-signature';
import { readRecovery } from '../../src/core/recovery/state';
import { toUserOperation } from '../../src/core/schemas/user-operation';
import { textOf } from '../support/screen-text';
import { installForDapps } from '../support/dapp';
import { answersHtml, on, startFaultyService } from '../support/chain/faulty';
import { entryPointAbi, safeModuleAbi } from '../support/chain/contracts';
import { person } from '../support/chain/guarded-safe';
import { describeWithPeers } from '../support/chain/peers';
import {
  CHAIN,
  installSmartWallet,
  must,
  operationOf,
  type SmartWallet,
  type WireOperation,
} from '../support/chain/smart-wallet';
import { startWorld, type World } from '../support/chain/world';

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
    world = await startWorld();
    wallet = await installSmartWallet(world);
    must(await wallet.setChain());
    account = await wallet.createSafe(0);
    address = account.address as Hex;
  });
  afterAll(async () => {
    await world.stop();
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
    const operation = await carryOut(account, [[recipient('2'), 7n]]);
    expect(operation).toMatchObject({ initCode: '0x', nonce: '0x1' });
    expect(await world.chain.getBalance({ address: recipient('2') })).toBe(7n);
  });

  it('executes a batch of three, with value', async () => {
    await carryOut(account, [
      [recipient('3'), 3n],
      [recipient('4'), 3n, '0x1234'],
      [recipient('5'), 3n],
    ]);
    for (const digit of ['3', '4', '5']) expect(await world.chain.getBalance({ address: recipient(digit) })).toBe(3n);
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
    expect(textOf(screen.content)).toMatch(/^\s*A recovery of this account has begun.*Cancel a recovery/su);
    await screen.ok();
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
  it('signs a message for it only after our own dialog', async () => {
    const anvil = await startWorld();
    const { dapp, send, connect, create } = await installForDapps();
    const change = send('keystead_setChain', { chainId: CHAIN, rpcUrl: anvil.rpcUrl, bundlerUrl: anvil.bundlerUrl });
    await (await change.getInterface()).ok();
    await change;
    const safe = await create({ type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7' });
    expect(await connect(undefined, [])).toEqual([safe.address]);
    const request = dapp('personal_sign', [viemToHex(MESSAGE), safe.address]);
    const screen = await request.getInterface();
    expect(textOf(screen.content)).toContain(MESSAGE);
    await screen.ok();
    const signature = (await request).response.result as Hex;
    const address = safe.address as Hex;
    expect(await anvil.chain.verifyMessage({ address, message: MESSAGE, signature })).toBe(true);
    const refused = dapp('personal_sign', [viemToHex(MESSAGE), safe.address]);
    await (await refused.getInterface()).cancel();
    expect((await refused).response.error).toMatchObject({ code: 4001 });
    await anvil.stop();
  });
});
