import { type Json } from '@metamask/snaps-sdk';
import { keccak256, pad, toHex } from 'viem';

import { DELEGATE_CODE_HASHES, DELEGATES } from '../../../../src/core/erc4337/delegates';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { type Hex } from '../../../../src/core/eth/bytes';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';
import { answerOf, SnapInProcess } from '../../../support/wallet/in-process';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const ALICE: Hex = `0x${'a1'.repeat(20)}`;
const BATCH = { version: '2.0.0', chainId: '0x7a69', atomicRequired: true };
const FIELD = 'capabilities.paymasterService.url';

describe('wallet_sendCalls and what sites learn, with services that fail', () => {
  let node: SimulatedNode;
  let paymaster: SimulatedNode;
  let operations: Record<string, Hex>[];
  beforeEach(async () => {
    operations = [];
    node = await startSimulatedNode({
      eth_getCode: () => '0x60',
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_call: () => pad('0x0'),
      eth_sendRawTransaction: ([raw]) => keccak256(raw as Hex),
      eth_estimateUserOperationGas: () => ({
        callGasLimit: '0x10000',
        verificationGasLimit: '0x20000',
        preVerificationGas: '0xc000',
      }),
      eth_sendUserOperation: ([operation]) => {
        operations.push(operation as Record<string, Hex>);
        throw new NoAnswer();
      },
    });
    paymaster = await startSimulatedNode();
  });
  afterEach(async () => {
    await node.stop();
    await paymaster.stop();
  });

  const unanswered = () => {
    throw new NoAnswer();
  };
  const refused = () => {
    throw new NodeRefusal('the budget is spent', -32002);
  };

  /**
   * The snap with one account, on which a local site is connected. The person approves everything, unless told
   * otherwise.
   */
  async function start(options: Record<string, Json> = { type: 'eip155:erc4337', chainId: CHAIN }) {
    const wallet = new WalletDouble();
    wallet.services = [node, paymaster].map(({ url }) => new URL(url).origin);
    const snap = new SnapInProcess(wallet);
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
    const { address } = (await snap.keyring('keyring_createAccount', { options })) as { address: Hex };
    const site = 'http://localhost:3000';
    await snap.dapp('eth_requestAccounts', [], site);
    wallet.dialogs.length = 0;
    const ask = (method: string, ...params: Json[]) => answerOf<Json>(snap.dapp(method, params, site));
    const send = (change: Record<string, unknown> = {}) =>
      ask('wallet_sendCalls', { ...BATCH, from: address, calls: [{ to: ALICE }], ...change } as Json);
    return { snap, wallet, address, ask, send };
  }
  const sponsored = (more: object = {}) => ({
    capabilities: { paymasterService: { url: paymaster.url, ...more } },
  });

  it('accepts the chain of the batch in a call, and refuses another', async () => {
    const { send } = await start();
    expect((await send({ calls: [{ to: ALICE, chainId: '0x7a69' }] })).result).toMatchObject({
      id: expect.any(String) as string,
    });
    const { error } = await send({ calls: [{ to: ALICE }, { to: ALICE, chainId: '0x1' }] });
    expect(error).toMatchObject({ code: -32602, data: { field: 'calls[1].chainId' } });
  });

  it.each([
    ['is dead', unanswered],
    ['refuses', refused],
  ])('sends without an optional paymaster service that %s', async (_what, answer) => {
    paymaster.answers.pm_getPaymasterStubData = answer;
    const { send, wallet } = await start();
    expect((await send(sponsored({ optional: true }))).error).toBeUndefined();
    expect(operations).toHaveLength(1);
    expect(operations[0]).not.toHaveProperty('paymaster');
    expect(wallet.dialogs).toHaveLength(1);
  });

  it('sends without an optional paymaster service that fails only at the end, or that the entry point refuses', async () => {
    const stub = {
      paymaster: ALICE,
      paymasterData: '0x',
      paymasterPostOpGasLimit: '0x1',
      paymasterVerificationGasLimit: '0x1',
    };
    paymaster.answers.pm_getPaymasterStubData = () => stub;
    paymaster.answers.pm_getPaymasterData = unanswered;
    const { send } = await start();
    expect((await send(sponsored({ optional: true }))).error).toBeUndefined();
    const estimate = node.answers.eth_estimateUserOperationGas!;
    node.answers.eth_estimateUserOperationGas = ([operation]) => {
      if ((operation as object)['paymaster' as never] === undefined) return estimate([]);
      throw new NodeRefusal('AA33 reverted', -32501);
    };
    expect((await send(sponsored({ optional: true }))).error).toBeUndefined();
    expect(operations).toHaveLength(2);
    for (const operation of operations) expect(operation).not.toHaveProperty('paymaster');
  });

  it.each([
    ['is dead', unanswered, -32002],
    ['refuses', refused, -32003],
  ])(
    'is refused if a required paymaster service %s, by the name of the site’s parameter',
    async (_what, answer, code) => {
      paymaster.answers.pm_getPaymasterStubData = answer;
      const { send, wallet } = await start();
      const { error } = await send(sponsored());
      expect(error).toMatchObject({ code, message: expect.stringMatching(`^${FIELD}: `) as string });
      expect(error?.message).not.toContain('paymasterUrl');
      expect(wallet.dialogs).toEqual([]);
      expect(operations).toEqual([]);
    },
  );

  it('warns of gas limits with which no operation can succeed', async () => {
    const one = { callGasLimit: '0x1', verificationGasLimit: '0x1', preVerificationGas: '0x1' };
    node.answers.eth_estimateUserOperationGas = () => one;
    const { send, wallet } = await start();
    await send();
    expect(wallet.dialogs[0]?.text).toContain('The gas limits (call 2, verification 2) are too low for any operation');
    node.answers.eth_estimateUserOperationGas = () => ({
      ...one,
      callGasLimit: '0x10000',
      verificationGasLimit: '0x20000',
    });
    await send();
    expect(wallet.dialogs[1]?.text).not.toContain('too low for any operation');
  });

  describe('of an externally owned account that can be upgraded', () => {
    const code = `0x${'60'.repeat(8)}`;
    const delegate = DELEGATES['0.8'];
    const upgradable = () => {
      node.answers.eth_getCode = ([address]) => ((address as string).toLowerCase() === delegate ? code : '0x');
      node.answers.eth_call = () => pad(ENTRY_POINTS['0.8']);
      node.answers.eth_getBlockByNumber = () => ({ number: '0x10', baseFeePerGas: '0x1', requestsHash: pad('0x1') });
    };
    // The code of the delegate is compared by its hash, so this one is not it.
    const isReal = DELEGATE_CODE_HASHES['0.8'] === keccak256(code as Hex);

    it('a node that does not answer leaves its network out, and what it does not know is not unsupported', async () => {
      const { ask, address } = await start({});
      node.answers.eth_getCode = unanswered;
      expect((await ask('wallet_getCapabilities', address)).result).toEqual({});
      node.answers.eth_getCode = refused;
      expect((await ask('wallet_getCapabilities', address)).result).toEqual({});
      upgradable();
      const known = { '0x7a69': { atomic: { status: isReal ? 'ready' : 'unsupported' } } };
      expect((await ask('wallet_getCapabilities', address)).result).toMatchObject(known);
    });

    it('atomic calls are refused because the node does not answer, and not because they are unsupported', async () => {
      const { send, wallet } = await start({});
      node.answers.eth_getCode = unanswered;
      const { error } = await send({ calls: [{ to: ALICE }, { to: ALICE }] });
      expect(error).toMatchObject({ code: -32002, message: expect.stringContaining('could not be reached') as string });
      expect(wallet.dialogs).toEqual([]);
    });
  });

  it('a network that is removed leaves the last known status of its calls', async () => {
    const { send, ask, snap } = await start();
    const id = ((await send({ id: 'a' })).result as { id: string }).id;
    await snap.keyring('keystead_removeChain', { chainId: CHAIN });
    const { result } = await ask('wallet_getCallsStatus', id);
    const message = expect.stringMatching(
      /^Unknown\. .*The network is no longer set up in Keystead, so it cannot be asked\.$/u,
    ) as string;
    expect(result).toMatchObject({
      status: 100,
      capabilities: { keystead: { state: 'unknown', remark: 'no-network', message } },
    });
  });

  it('a read of a node that serves another chain now is an error', async () => {
    const { ask } = await start();
    node.answers.eth_call = () => toHex(7);
    expect((await ask('eth_call', { to: ALICE }, 'latest')).result).toBe(toHex(7));
    node.answers.eth_chainId = () => '0x1';
    const { error } = await ask('eth_call', { to: ALICE }, 'latest');
    expect(error).toMatchObject({
      code: -32002,
      message: expect.stringContaining('must be a node for chain 31337') as string,
    });
  });
});
