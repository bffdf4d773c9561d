import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { encodeAbiParameters, getAddress, type Hex, pad, recoverAddress, stringToHex, toHex } from 'viem';

import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { GET_OWNERS } from '../../../src/core/safe/owners/owners';
import { newMessage } from '../../../src/core/schemas/safe-message';
import { DAPP, installForDapps, LOCAL_PAGE } from '../../support/dapp';
import { ALICE, BOB } from '../../support/explaining';
import { bundleReceipt, type Executed } from '../../support/operation-event';
import { flat } from '../../support/screen-text';
import { NoAnswer, NodeRefusal, type SimulatedNode } from '../../support/simulated-node';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { CHAIN, FUNDED, startTakingNode } from './sending';

const start = useEmptiedSnap(installForDapps);

let node: SimulatedNode;
beforeEach(async () => {
  node = await startTakingNode();
});
afterEach(() => node.stop());

/** What the node and the bundler say of a deployed account that has 1 ETH. */
const DEPLOYED = { ...FUNDED, eth_getCode: () => '0x60' };

describe('a smart account', () => {
  async function withSmartAccount(more: Record<string, Json> = {}) {
    const keystead = await start({ mayKeep: ['prepared', 'batches'] });
    await keystead.approve('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url }, LOCAL_PAGE);
    const options = { type: 'eip155:erc4337', chainId: CHAIN, ...more };
    const account = (await keystead.call<KeyringAccount>('keyring_createAccount', { options })).result!;
    await keystead.connect();
    return { ...keystead, account };
  }

  it('reports its capabilities only on its own chains', async () => {
    const { ask, account, approve } = await withSmartAccount();
    node.answers.eth_chainId = () => '0xa';
    await approve('keystead_setChain', { chainId: '0xa', rpcUrl: node.url, bundlerUrl: node.url }, LOCAL_PAGE);
    const all = { '0x7a69': { atomic: { status: 'supported' }, paymasterService: { supported: true } } };
    expect((await ask('wallet_getCapabilities', [account.address])).result).toEqual(all);
    expect((await ask('wallet_getCapabilities', [account.address, ['0x7a69', '0x1', '0xa']])).result).toEqual(all);
    expect((await ask('wallet_getCapabilities', [account.address, ['0x1']])).result).toEqual({});
    expect((await ask('wallet_getCapabilities', [BOB])).error).toMatchObject({ code: 4100 });
    await ask('wallet_switchEthereumChain', [{ chainId: '0xa' }]);
    const intent = { to: ALICE, value: '0x0', data: '0x' };
    expect((await ask('eth_prepareUserOperation', [intent])).error).toMatchObject({ code: 4901 });
    expect((await ask('eth_sendTransaction', [{ from: account.address, to: ALICE }])).error).toMatchObject({
      code: 4901,
    });
    const request = { version: '2.0.0', chainId: '0xa', atomicRequired: true, calls: [{ to: ALICE }] };
    expect((await ask('wallet_sendCalls', [request])).error).toMatchObject({ code: 5710 });
  });

  it('prepares operations without revealing the bundler URL, which may contain a key', async () => {
    Object.assign(node.answers, {
      eth_getCode: () => '0x',
      eth_call: () => `0x${'00'.repeat(32)}`,
      eth_estimateUserOperationGas: () => ({
        callGasLimit: '0x5208',
        verificationGasLimit: '0x5208',
        preVerificationGas: '0x5208',
      }),
    });
    const { ask } = await withSmartAccount();
    const { result } = await ask('eth_prepareUserOperation', [{ to: ALICE, value: '0x0', data: '0x' }]);
    expect(result).toMatchObject({ nonce: '0x0', gasLimits: {} });
    expect(JSON.stringify(result)).not.toContain(node.url);
  });

  it.each<[number, string, Record<string, Json>]>([
    [5740, 'at most 100', { calls: Array.from({ length: 101 }, () => ({ to: ALICE })) }],
    [5700, '"sessionKeys"', { capabilities: { sessionKeys: {} } }],
    [-32602, 'capabilities.paymasterService.url', { capabilities: { paymasterService: { url: 'http://p.example' } } }],
    [
      -32602,
      'must not be a local address: the site is not local',
      { capabilities: { paymasterService: { url: 'http://localhost:1' } } },
    ],
    [-32602, 'to', { calls: [{ data: '0x00' }] }],
  ])('does not send calls that it cannot: %d %s', async (code, sentence, fields) => {
    const { ask } = await withSmartAccount();
    node.asked.length = 0;
    node.answers.eth_getCode = () => '0x60';
    node.answers.eth_call = () => `0x${'00'.repeat(32)}`;
    const request = { version: '2.0.0', chainId: '0x7a69', atomicRequired: true, calls: [{ to: ALICE }], ...fields };
    const { error } = await ask('wallet_sendCalls', [request]);
    expect(error).toMatchObject({ code });
    expect(error!.message).toContain(sentence);
  });

  it('that verifies messages signs none without asking, and compares a sign-in with the origin', async () => {
    const { account, approve, dapp } = await withSmartAccount({ kind: 'safe-0.7' });
    node.answers.eth_getCode = () => '0x60';
    node.answers.eth_getStorageAt = () => `0x${'1'.padStart(64, '0')}`;
    const owners = encodeAbiParameters([{ type: 'address[]' }], [[account.options.owner as Hex]]);
    node.answers.eth_call = ([call]) =>
      (call as { data: string }).data === GET_OWNERS ? owners : `0x${'00'.repeat(32)}`;
    const signIn = stringToHex(
      `other.example wants you to sign in with your Ethereum account:\n${account.address}\n\n\nURI: https://other.example/\nVersion: 1\nChain ID: 31337\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`,
    );
    for (const [message, says] of [
      [stringToHex('Hello'), 'Hello'],
      [signIn, 'It could use your signature to act as you there.'],
    ] as const) {
      const request = dapp('personal_sign', [message, account.address]);
      const screen = await request.getInterface();
      for (const part of [`Site ${DAPP}`, says]) expect(flat(screen.content)).toContain(part);
      await screen.cancel();
      expect((await request).response.error).toMatchObject({ code: 4001 });
    }
    const signed = await approve<string>('personal_sign', [stringToHex('Hello'), account.address]);
    expect(signed.result).toMatch(/^0x[0-9a-f]+$/u);
  });

  describe('as one owner of a Safe', () => {
    const SAFE: Hex = `0x${'5a'.repeat(20)}`;
    const signIn = (address: string): Hex =>
      stringToHex(
        `good.example wants you to sign in with your Ethereum account:\n${address}\n\n\nURI: https://good.example/\nVersion: 1\nChain ID: 31337\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`,
      );
    const owned = async () => {
      const keystead = await withSmartAccount({ kind: 'safe-0.7' });
      const eoa = (await keystead.call<KeyringAccount>('keyring_createAccount', { options: {} })).result!;
      return { ...keystead, eoa, place: { account: eoa.address, safe: SAFE, chainId: 'eip155:31337' } };
    };

    it('a standard account signs only what is shown, for this Safe and network', async () => {
      const { send, place, eoa } = await owned();
      const message = signIn(getAddress(SAFE));
      const asking = send('keystead_signAsOwner', { ...place, message });
      const screen = await asking.getInterface();
      for (const part of ['good.example', 'Signs for the Safe']) expect(flat(screen.content)).toContain(part);
      expect(flat(screen.content)).not.toContain('for a different account');
      await screen.ok();
      const signature = (await asking).response.result as Hex;
      const { hash } = newMessage({ message }, SAFE, 31_337n);
      expect(await recoverAddress({ hash, signature })).toBe(eoa.address);

      const rejected = send('keystead_signAsOwner', { ...place, message });
      await (await rejected.getInterface()).cancel();
      expect((await rejected).response.error).toMatchObject({ code: 4001 });
    });

    it('a message that another page explains is explained with its dangers, and with the site if that is known', async () => {
      const { call, place } = await owned();
      const explained = async (more: Record<string, Json>) =>
        (await call<{ dangers: { code: string }[] }>('keystead_explainMessage', { ...place, ...more })).result!;
      const codes = async (more: Record<string, Json>) => (await explained(more)).dangers.map(({ code }) => code);
      expect(await codes({ message: signIn(ALICE) })).toEqual(['siwe-address']);
      expect(await codes({ message: signIn(getAddress(SAFE)) })).toEqual([]);
      expect(await codes({ message: signIn(getAddress(SAFE)), origin: 'https://evil.example' })).toEqual([
        'siwe-domain',
      ]);
      expect(await explained({ message: stringToHex('Hello') })).toMatchObject({ body: { text: 'Hello' } });
    });

    it.each<[string, string, Record<string, Json>]>([
      ['an account that Keystead does not have', 'not-found', { account: ALICE, message: '0x00' }],
      ['nothing', 'invalid-params', {}],
      ['an operation with the key of a standard account', 'invalid-params', { operation: 'x' }],
    ])('signs nothing for %s', async (_what, code, more) => {
      const { call, place } = await owned();
      const { error } = await call('keystead_signAsOwner', { ...place, ...more });
      expect(error).toMatchObject({ data: { code } });
    });

    it.each(['keystead_signAsOwner', 'keystead_answerMessage', 'keystead_explainMessage', 'keystead_getProposals'])(
      'a site cannot call %s',
      async (method) => {
        const { ask, place } = await owned();
        expect((await ask(method, { ...place, message: '0x00' })).error).toMatchObject({ code: 4200 });
      },
    );
  });

  it('reports what it cannot do with the field names of the site', async () => {
    const { ask, account } = await withSmartAccount();
    node.answers.eth_getCode = () => '0x60';
    node.answers.eth_call = () => `0x${'00'.repeat(32)}`;
    const { error } = await ask('eth_sendTransaction', [{ from: account.address, data: '0x60' }]);
    expect(error).toMatchObject({ code: -32602, data: { field: 'transaction.to' } });
    const batch = { version: '2.0.0', chainId: '0x7a69', atomicRequired: true };
    for (const [call, field] of [
      [{ data: '0x60' }, 'calls[1].to'],
      [{ to: `0x${'00'.repeat(20)}`, data: '0x60' }, 'calls[1].to'],
      [{ to: ALICE, data: '0x6' }, 'calls[1].data'],
      [{ to: ALICE, value: '1' }, 'calls[1].value'],
    ] as const)
      expect((await ask('wallet_sendCalls', [{ ...batch, calls: [{ to: ALICE }, call] }])).error).toMatchObject({
        code: -32602,
        data: { field },
      });
  });

  it('reports an operation that was included and failed by its own hash, whose receipt says so', async () => {
    const { approve, ask, account } = await withSmartAccount();
    const included: Hex = `0x${'ab'.repeat(32)}`;
    const other = `0x${'cd'.repeat(32)}`;
    let success = false;
    let nonce = 0n;
    let executed: Executed | undefined;
    Object.assign(node.answers, {
      ...DEPLOYED,
      eth_sendUserOperation: () => {
        nonce += 1n;
        return other;
      },
      eth_call: () => pad(toHex(nonce)),
      eth_getLogs: () => [],
      // The bundler knows the transaction, and lies about the operation.
      eth_getUserOperationReceipt: ([hash]: readonly Hex[]) => {
        executed = { entryPoint: ENTRY_POINTS['0.7'], hash: hash!, sender: account.address as Hex, success };
        return {
          userOpHash: hash,
          sender: account.address,
          nonce: '0x0',
          success: !success,
          actualGasUsed: '0x5208',
          actualGasCost: '0x5208',
          logs: [],
          receipt: { transactionHash: included, blockNumber: '0x10', blockHash: other, gasUsed: '0x5208' },
        };
      },
      eth_getTransactionReceipt: () => bundleReceipt(included, executed!),
    });
    const send = () => approve<string>('eth_sendTransaction', [{ from: account.address, to: ALICE, value: '0x1' }]);
    const { result: hash } = await send();
    expect(hash).not.toBe(included);
    const receipt = bundleReceipt(included, executed!);
    expect(await ask('eth_getTransactionReceipt', [hash!])).toEqual({ result: { ...receipt, status: '0x0' } });
    // The transaction itself succeeded.
    expect(await ask('eth_getTransactionReceipt', [included])).toEqual({ result: receipt });
    success = true;
    expect((await send()).result).toBe(included);
  });

  const GWEI = 10n ** 9n;
  // The node suggests 3 gwei, with a tip of 1. Keystead adds a half to each.
  it.each<[string, readonly [bigint, bigint] | Error, readonly [bigint, bigint]]>([
    ['less than ours', [1n, 1n], [(9n * GWEI) / 2n, (3n * GWEI) / 2n]],
    ['more than ours', [6n * GWEI, 2n * GWEI], [6n * GWEI, 2n * GWEI]],
    ['far more', [10n ** 6n * GWEI, 10n ** 6n * GWEI], [(45n * GWEI) / 2n, (15n * GWEI) / 2n]],
    ['nothing', new NodeRefusal('no such method', -32601), [(9n * GWEI) / 2n, (3n * GWEI) / 2n]],
    ['nothing, by closing the connection', new NoAnswer(), [(9n * GWEI) / 2n, (3n * GWEI) / 2n]],
  ])('pays what the bundler requires, within a limit: it requires %s', async (_what, required, paid) => {
    const { approve, account } = await withSmartAccount();
    Object.assign(node.answers, {
      ...DEPLOYED,
      pimlico_getUserOperationGasPrice: () => {
        if (required instanceof Error) throw required;
        const [maxFeePerGas, maxPriorityFeePerGas] = required.map((fee) => toHex(fee));
        return { standard: { maxFeePerGas, maxPriorityFeePerGas } };
      },
    });
    await approve('eth_sendTransaction', [{ from: account.address, to: ALICE, value: '0x1' }]);
    const sent = node.asked.find(({ method }) => method === 'eth_sendUserOperation');
    const [maxFeePerGas, maxPriorityFeePerGas] = paid.map((fee) => toHex(fee));
    expect(sent?.params[0]).toMatchObject({ maxFeePerGas, maxPriorityFeePerGas });
  });

  it('signs nothing if the bundler does not respond', async () => {
    const { ask, account } = await withSmartAccount();
    node.answers.eth_getCode = () => '0x60';
    node.answers.eth_call = () => `0x${'00'.repeat(32)}`;
    node.answers.eth_estimateUserOperationGas = () => 'nonsense';
    const { error } = await ask('eth_sendTransaction', [{ from: account.address, to: ALICE }]);
    expect(error).toMatchObject({ data: { code: 'service-failed' } });
    expect(
      (await ask('eth_sendTransaction', [{ from: account.address, to: ALICE, nonce: '0x1' }])).error?.message,
    ).toContain('transaction.nonce: must be omitted');
    expect((await ask('eth_decodeUserOperationCallData', ['0x1234'])).error?.message).toContain('callData: must be');
    expect((await ask('personal_sign', ['0x00', account.address])).error).toMatchObject({ code: -32601 });
  });
});
