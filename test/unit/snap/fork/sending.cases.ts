import { type Json } from '@metamask/snaps-sdk';
import { keccak256, parseEther } from 'viem';

import { DELEGATES } from '../../../../src/core/erc4337/delegates';
import { delegationCode } from '../../../../src/core/eth/authorization';
import { type Hex } from '../../../../src/core/eth/bytes';
import { type Behaviour, ForkNode, OPERATION_GAS, RULES, type Rules } from '../../../support/fork-node';
import { preparedCode } from '../../../support/prepared-code';
import { type SimulatedNode } from '../../../support/simulated-node';
import { answerOf, SnapInProcess } from '../../../support/wallet/in-process';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const SITE = 'http://localhost:3000';
/** An account that exists, one that does not, and a contract. */
const FRIEND: Hex = `0x${'f1'.repeat(20)}`;
const NOBODY: Hex = `0x${'0b'.repeat(20)}`;
const SHOP: Hex = `0x${'5a'.repeat(20)}`;
const CODE = '0x6001';
const ETHER = parseEther('1');
const hex = (value: bigint): Hex => `0x${value.toString(16)}`;
const DELEGATE = DELEGATES['0.8'];

describe.each(Object.entries(RULES))('sending under %s', (_name, rules: Rules) => {
  let fork: ForkNode;
  let node: SimulatedNode;
  beforeEach(async () => {
    ({ fork, server: node } = await ForkNode.start(rules));
    fork.fund(FRIEND, ETHER);
    fork.fund(SHOP, 0n, CODE);
    fork.fund(DELEGATE, 0n, preparedCode(DELEGATE));
    fork.behaviours.set(SHOP, { gas: 40_000n, slots: 2, accounts: 1 });
  });
  afterEach(() => node.stop());

  /** The snap with one account that has ten coins. The person approves everything. */
  async function start(options: Record<string, Json> = {}, hasBundler = true) {
    const wallet = new WalletDouble();
    wallet.services = [new URL(node.url).origin];
    const snap = new SnapInProcess(wallet);
    const bundler = hasBundler && { bundlerUrl: node.url, entryPointVersion: '0.8' };
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, ...bundler });
    const { address } = (await snap.keyring('keyring_createAccount', { options })) as { address: Hex };
    fork.fund(address, 10n * ETHER);
    await snap.dapp('eth_requestAccounts', [], SITE);
    wallet.dialogs.length = 0;
    const ask = (method: string, ...params: Json[]) => answerOf<Json>(snap.dapp(method, params, SITE));
    return { snap, wallet, address, ask };
  }

  const succeeded = (count: number) => {
    expect(fork.included.map(({ isSuccess }) => isSuccess)).toEqual(Array.from({ length: count }, () => true));
  };
  /** The screens name the coin, and no token at the address where the network logs it. */
  function coinsOnly({ dialogs }: WalletDouble, ...sends: string[]) {
    for (const [at, amount] of sends.entries()) {
      const { text } = dialogs[at]!;
      expect(text.match(/You (?:send|receive) [^ ]+ [^ ]+/gu)).toEqual([`You send ${amount} ETH`]);
      expect(text).not.toMatch(/0x[ef]{4}/iu);
    }
  }

  it.each([
    ['an account', FRIEND],
    ['a new account', NOBODY],
    ['a contract', SHOP],
  ])('coins to %s', async (_who, to) => {
    const { ask, address, wallet } = await start();
    const { error, result } = await ask('eth_sendTransaction', { from: address, to, value: hex(ETHER) });
    expect(error).toBeUndefined();
    succeeded(1);
    coinsOnly(wallet, '1');
    const receipt = await ask('eth_getTransactionReceipt', result as Hex);
    expect(receipt.result).toMatchObject({ status: '0x1' });
  });

  it('coins to itself', async () => {
    const { ask, address } = await start();
    expect((await ask('eth_sendTransaction', { from: address, to: address, value: hex(ETHER) })).error).toBeUndefined();
    succeeded(1);
  });

  it('a contract, and data without a value', async () => {
    const { ask, address } = await start();
    await ask('eth_sendTransaction', { from: address, data: `0x60${'5b'.repeat(300)}` });
    await ask('eth_sendTransaction', { from: address, to: SHOP, data: `0x${'00'.repeat(2000)}` });
    await ask('eth_sendTransaction', { from: address, to: FRIEND, data: `0x${'ff'.repeat(2000)}` });
    succeeded(3);
  });

  it('everything but what the network charges, with less than the whole margin', async () => {
    const { ask, address } = await start();
    for (const to of [FRIEND, NOBODY]) {
      const estimate = BigInt((await ask('eth_estimateGas', { from: address, to, value: '0x1' })).result as Hex);
      fork.fund(address, 10n * ETHER);
      fork.accounts.get(address.toLowerCase() as Hex)!.nonce = fork.included.length;
      // The fee that Keystead offers is three gwei: twice the base fee, and the tip.
      const value = 10n * ETHER - (estimate + 1n) * 3_000_000_000n;
      const { error } = await ask('eth_sendTransaction', { from: address, to, value: hex(value) });
      expect(error).toBeUndefined();
    }
    succeeded(2);
  });

  it.each(['speed-up', 'cancel'])('what replaces a pending payment: %s', async (how) => {
    const { ask, address, snap } = await start();
    const include = node.answers.eth_sendRawTransaction!;
    // The network knows the first transaction, and does not include it.
    node.answers.eth_sendRawTransaction = ([raw]) => keccak256(raw as Hex);
    node.answers.eth_getTransactionByHash = ([hash]) => ({ hash: hash as Hex });
    const { result } = await ask('eth_sendTransaction', { from: address, to: NOBODY, value: hex(ETHER) });
    node.answers.eth_sendRawTransaction = include;
    expect(await snap.keyring('keystead_replaceCalls', { hash: result as Hex, how })).not.toBe(result);
    succeeded(1);
    expect(fork.included[0]).toMatchObject(how === 'cancel' ? { value: 0n } : { to: NOBODY, value: ETHER });
  });

  it('several calls, one after the other', async () => {
    const { ask, address, wallet } = await start();
    const calls = [FRIEND, NOBODY].map((to) => ({ to, value: hex(ETHER) }));
    const batch = { version: '2.0.0', chainId: '0x7a69', from: address, atomicRequired: false, calls };
    const { error, result } = await ask('wallet_sendCalls', batch);
    expect(error).toBeUndefined();
    succeeded(2);
    coinsOnly(wallet, '1', '1');
    const { result: status } = await ask('wallet_getCallsStatus', (result as { id: string }).id);
    expect(status).toMatchObject({ status: 200 });
    const { receipts } = status as { receipts: { logs: { address: Hex }[] }[] };
    for (const { logs } of receipts) expect(logs).toHaveLength(rules.fork === 'Amsterdam' ? 1 : 0);
  });

  it.each([false, true])(
    'several calls at once, which upgrade the account first; a bundler: %s',
    async (hasBundler) => {
      const { ask, address, wallet } = await start({}, hasBundler);
      fork.behaviours.set(address.toLowerCase() as Hex, { gas: 40_000n, pays: [[FRIEND, ETHER]] });
      const calls = [FRIEND, NOBODY].map((to) => ({ to, value: hex(ETHER) }));
      const batch = { version: '2.0.0', chainId: '0x7a69', from: address, atomicRequired: true, calls };
      expect((await ask('wallet_sendCalls', batch)).error).toBeUndefined();
      coinsOnly(wallet, '2');
      if (hasBundler) {
        expect(fork.operations).toHaveLength(1);
        return;
      }
      succeeded(1);
      expect(fork.accounts.get(address.toLowerCase() as Hex)?.code).toBe(delegationCode(DELEGATE).toLowerCase());
      expect((await ask('wallet_sendCalls', batch)).error).toBeUndefined();
      succeeded(2);
    },
  );

  it('the taking back of an upgrade', async () => {
    const { snap, address } = await start();
    fork.fund(address, ETHER, delegationCode(DELEGATE));
    await snap.keyring('keystead_takeBackDelegation', { chainId: CHAIN, address });
    succeeded(1);
    expect(fork.accounts.get(address.toLowerCase() as Hex)?.code).toBe('0x');
  });

  it('a user operation, with the gas that its bundler names', async () => {
    const { ask, address, wallet } = await start({ type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: '0.8' });
    fork.fund(address, 10n * ETHER, CODE);
    fork.behaviours.set(address.toLowerCase() as Hex, { gas: 30_000n, pays: [[FRIEND, ETHER]] });
    const calls = [{ to: FRIEND, value: hex(ETHER) }];
    const batch = { version: '2.0.0', chainId: '0x7a69', from: address, atomicRequired: true, calls };
    expect((await ask('wallet_sendCalls', batch)).error).toBeUndefined();
    expect(fork.operations).toHaveLength(1);
    coinsOnly(wallet, '1');
    for (const [name, gas] of Object.entries(OPERATION_GAS[rules.fork]))
      expect(BigInt(fork.operations[0]![name] as Hex)).toBeGreaterThanOrEqual(gas);
  });

  describe('near the most that a transaction may execute with (EIP-7825)', () => {
    const heavy: (gas: bigint, slots?: number) => Behaviour = (gas, slots = 0) => ({ gas, slots });

    it('has as much of the margin as the network allows', async () => {
      const { ask, address } = await start();
      fork.behaviours.set(SHOP, heavy(15_000_000n));
      expect((await ask('eth_sendTransaction', { from: address, to: SHOP, data: '0x01' })).error).toBeUndefined();
      succeeded(1);
      expect(fork.included[0]!.gas).toBe(1n << 24n);
    });

    it('is refused beyond it before anything is signed, with what to do', async () => {
      const { ask, address, wallet } = await start();
      fork.behaviours.set(SHOP, heavy(17_000_000n));
      const { error } = await ask('eth_sendTransaction', { from: address, to: SHOP, data: '0x01' });
      expect(error?.message).toBe(
        'It needs more gas than one transaction may use on this network (16,777,216, EIP-7825). Send fewer calls at once. The node says: gas required exceeds allowance (16777216)',
      );
      expect(wallet.dialogs).toEqual([]);
      expect(fork.included).toEqual([]);
    });

    it('does not count what state costs', async () => {
      const { ask, address } = await start();
      fork.behaviours.set(SHOP, heavy(rules.fork === 'Osaka' ? 14_000_000n : 16_000_000n, 30));
      expect((await ask('eth_sendTransaction', { from: address, to: SHOP, data: '0x01' })).error).toBeUndefined();
      succeeded(1);
      expect(fork.included[0]!.gas > 1n << 24n).toBe(rules.fork === 'Amsterdam');
    });
  });
});
