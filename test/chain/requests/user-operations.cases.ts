import { type KeyringAccount } from '@metamask/keyring-api';
import fc from 'fast-check';
import { type Hex, parseEther } from 'viem';

import { ACCOUNT_VERSIONS, type AccountVersion, ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../../src/core/erc4337/hash';
import { toHex } from '../../../src/core/eth/bytes';
import { toUserOperation } from '../../../src/core/schemas/user-operation';
import { entryPointAbi } from '../../support/chain/contracts';
import { describeWithPeers } from '../../support/chain/peers';
import {
  installSmartWallet,
  must,
  operationOf,
  type SmartWallet,
  type WireOperation,
} from '../../support/chain/smart-wallet';
import { PHRASES, sharedWorld } from '../../support/chain/shared-world';
import { type World } from '../../support/chain/world';

const wei = (amount: bigint): Hex => `0x${amount.toString(16)}`;
const recipient = (digit: string): Hex => `0x${digit.repeat(40)}`;

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex);
const quantity = (bits: bigint) => fc.bigInt({ min: 0n, max: (1n << bits) - 1n }).map(wei);

const anyOperation = (version: AccountVersion): fc.Arbitrary<WireOperation> =>
  fc.record({
    sender: hex(20),
    nonce: quantity(256n),
    initCode: fc.oneof(fc.constant<Hex>('0x'), hex(77)),
    callData: fc.uint8Array({ maxLength: 200 }).map(toHex),
    callGasLimit: quantity(120n),
    verificationGasLimit: quantity(120n),
    preVerificationGas: quantity(120n),
    maxFeePerGas: quantity(120n),
    maxPriorityFeePerGas: quantity(120n),
    paymasterAndData: fc.oneof(
      fc.constant<Hex>('0x'),
      // From 0.7 on, bytes 20 to 52 are gas limits, and the entry points take none of 2^120 or more.
      fc
        .tuple(hex(20), hex(90))
        .map(([paymaster, rest]): Hex => `${paymaster}${version === '0.6' ? '' : '00'.repeat(32)}${rest.slice(2)}`),
    ),
    signature: hex(65),
  });

describeWithPeers('user operations on a real chain, through a real bundler', () => {
  let world: World;
  let wallet: SmartWallet;

  beforeAll(async () => {
    world = await sharedWorld();
  });

  /** The entry point's own word for the hash, over its own ABI. */
  async function hashByEntryPoint(operation: WireOperation, version: AccountVersion): Promise<unknown> {
    const op = toUserOperation(operation);
    const pack = (high: bigint, low: bigint): Hex => `0x${((high << 128n) | low).toString(16).padStart(64, '0')}`;
    const packed = {
      sender: op.sender,
      nonce: op.nonce,
      initCode: op.initCode,
      callData: op.callData,
      accountGasLimits: pack(op.verificationGasLimit, op.callGasLimit),
      preVerificationGas: op.preVerificationGas,
      gasFees: pack(op.maxPriorityFeePerGas, op.maxFeePerGas),
      paymasterAndData: op.paymasterAndData,
      signature: op.signature,
    };
    return world.chain.readContract({
      address: ENTRY_POINTS[version],
      abi: entryPointAbi(version),
      functionName: 'getUserOpHash',
      args: [version === '0.6' ? op : packed],
    });
  }

  /** Signs and sends intents, and holds the three hashes against each other. */
  async function carryOut(account: KeyringAccount, version: AccountVersion, intents: [Hex, bigint, Hex?][]) {
    const operation = await wallet.signedOperation(
      account,
      intents.map(([to, value, data = '0x']) => ({ to, value: wei(value), data })),
    );
    const ours = toHex(userOperationHash(toUserOperation(operation), wallet.placeOf(version)));
    expect(await hashByEntryPoint(operation, version)).toBe(ours);
    const receipt = await wallet.include(operation, version);
    expect(receipt).toMatchObject({ success: true, userOpHash: ours });
    const known = await wallet.bundler.getUserOperationByHash(ours);
    expect(toHex(userOperationHash(known!.operation, wallet.placeOf(version)))).toBe(ours);
    expect(known).toMatchObject({ transactionHash: receipt.transactionHash });
    return { operation, receipt };
  }

  describe.each(ACCOUNT_VERSIONS)('entry point %s', (version) => {
    let account: KeyringAccount;
    const balanceOf = (address: Hex) => world.chain.getBalance({ address });

    beforeAll(async () => {
      wallet = await installSmartWallet(world, PHRASES.operations);
      must(await wallet.setChain({ entryPointVersion: version }));
      account = await wallet.createSmart(version, 0);
      await world.chain.setBalance({ address: account.address as Hex, value: parseEther('5') });
    });

    it('hashes any operation as its contract does', async () => {
      for (const operation of fc.sample(anyOperation(version), { seed: 4337, numRuns: 20 })) {
        const ours = toHex(userOperationHash(toUserOperation(operation), wallet.placeOf(version)));
        expect(await hashByEntryPoint(operation, version)).toBe(ours);
      }
    });

    it('deploys the account with its first operation', async () => {
      const { operation } = await carryOut(account, version, [[recipient('1'), 1n]]);
      expect(operation.initCode).not.toBe('0x');
      expect(await world.chain.getCode({ address: account.address as Hex })).toBeDefined();
      expect(await balanceOf(recipient('1'))).toBeGreaterThan(0n);
    });

    it('executes one call', async () => {
      const before = await balanceOf(recipient('2'));
      const { operation } = await carryOut(account, version, [[recipient('2'), 7n]]);
      expect(operation).toMatchObject({ initCode: '0x', nonce: '0x1' });
      expect((await balanceOf(recipient('2'))) - before).toBe(7n);
    });

    it('executes a batch of three', async () => {
      const value = version === '0.6' ? 0n : 3n;
      const targets = [recipient('3'), recipient('4'), recipient('5')] as const;
      const before = await Promise.all(targets.map(balanceOf));
      await carryOut(account, version, [
        [targets[0], value],
        [targets[1], value, '0x1234'],
        [targets[2], value],
      ]);
      expect(await Promise.all(targets.map(balanceOf))).toEqual(before.map((balance) => balance + value));
    });

    it('executes a sponsored operation of an account without money', async () => {
      must(
        await wallet.setChain({ entryPointVersion: version, paymasterUrl: world.paymasterUrl, paymasterContext: {} }),
      );
      const poor = await wallet.createSmart(version, 1);
      const { operation, receipt } = await carryOut(poor, version, [[recipient('6'), 0n, '0xabcd']]);
      expect(operation.paymasterAndData.slice(0, 42)).toBe(world.paymasters[version].toLowerCase());
      expect(receipt.actualGasCost).toBeGreaterThan(0n);
      expect(await balanceOf(poor.address as Hex)).toBe(0n);
    });

    it('executes one whose sponsor approved at once, whatever the patch is given', async () => {
      const paymasterContext = { final: true };
      must(await wallet.setChain({ entryPointVersion: version, paymasterUrl: world.paymasterUrl, paymasterContext }));
      const poor = await wallet.createSmart(version, 2);
      const intent = { to: recipient('7'), value: '0x0', data: '0x' } as const;
      const prepared = operationOf(poor.address, must(await wallet.prepare(poor, [intent])));
      const foreign: Hex = `0x${'ab'.repeat(20)}${'00'.repeat(60)}`;
      const patch = must(await wallet.patch(poor, { ...prepared, paymasterAndData: foreign }));
      expect(patch).toEqual({ paymasterAndData: prepared.paymasterAndData });
      const signature = must(await wallet.sign(poor, prepared));
      expect(await wallet.include({ ...prepared, signature }, version)).toMatchObject({ success: true });
    });
  });
});
