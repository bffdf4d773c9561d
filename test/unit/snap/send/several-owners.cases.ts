import { type Json } from '@metamask/snaps-sdk';
import { encodeAbiParameters, type Hex, pad, stringToHex, toHex } from 'viem';

import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { GET_OWNERS } from '../../../../src/core/safe/owners/owners';
import { fromUserOperation } from '../../../../src/core/schemas/user-operation';
import { type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';
import { OPERATION } from '../../../support/user-operation';
import { answerOf, SnapInProcess } from '../../../support/wallet/in-process';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const SITE = 'http://localhost:3000';
const ALICE: Hex = `0x${'a1'.repeat(20)}`;
const SECOND: Hex = `0x${'22'.repeat(20)}`;
const THIRD: Hex = `0x${'33'.repeat(20)}`;

describe('a deployed Safe whose owners the network names', () => {
  let node: SimulatedNode;
  let paymaster: SimulatedNode;
  beforeEach(async () => {
    paymaster = await startSimulatedNode();
    node = await startSimulatedNode({
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_estimateUserOperationGas: () => ({
        callGasLimit: '0x10000',
        verificationGasLimit: '0x20000',
        preVerificationGas: '0xc000',
      }),
      eth_sendUserOperation: () => pad('0x1'),
    });
  });
  afterEach(async () => {
    await node.stop();
    await paymaster.stop();
  });

  /** The snap with a Safe on which a site is connected. @param others - The owners besides the own key. */
  async function start(others: readonly Hex[], threshold: number, isOwnKeyAnOwner = true) {
    const wallet = new WalletDouble();
    wallet.services = [node, paymaster].map(({ url }) => new URL(url).origin);
    const snap = new SnapInProcess(wallet);
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
    const options = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7' };
    const account = (await snap.keyring('keyring_createAccount', { options })) as {
      readonly id: string;
      readonly address: Hex;
      readonly options: { readonly owner: Hex };
    };
    const owners = [...(isOwnKeyAnOwner ? [account.options.owner] : []), ...others];
    Object.assign(node.answers, {
      eth_getCode: ([address]: readonly Hex[]) =>
        address?.toLowerCase() === account.address.toLowerCase() ? '0x60' : '0x',
      eth_getStorageAt: () => pad(toHex(threshold)),
      eth_call: ([call]: readonly { readonly data: Hex }[]) =>
        call?.data === GET_OWNERS ? encodeAbiParameters([{ type: 'address[]' }], [owners]) : pad('0x0'),
    });
    await snap.dapp('eth_requestAccounts', [], SITE);
    wallet.dialogs.length = 0;
    const ask = (method: string, ...params: Json[]) => answerOf<Json>(snap.dapp(method, params, SITE));
    const send = (change: Record<string, Json> = {}) =>
      ask('wallet_sendCalls', {
        ...{ version: '2.0.0', chainId: '0x7a69', atomicRequired: true, from: account.address },
        calls: [{ to: ALICE }],
        ...change,
      });
    /** As MetaMask asks for an operation that it sends itself. */
    const signOperation = () => {
      const operation = fromUserOperation({ ...OPERATION, sender: account.address, nonce: 0n });
      const params = [operation, ENTRY_POINTS['0.7']] as unknown as Json;
      return answerOf(snap.submit(account.id, 'eth_signUserOperation', params, CHAIN));
    };
    const signMessage = () => ask('personal_sign', stringToHex('Hello'), account.address);
    return { wallet, send, signOperation, signMessage };
  }
  const wasSent = () => node.asked.some(({ method }) => method === 'eth_sendUserOperation');

  it('signs nothing if its own key is not an owner, even if one signature is enough', async () => {
    const { wallet, send, signOperation, signMessage } = await start([SECOND, THIRD], 1, false);
    for (const { error } of [await send(), await signOperation(), await signMessage()])
      expect(error?.message).toContain("This account's own key is not one of its owners on this network");
    expect(wallet.dialogs).toEqual([]);
    expect(wasSent()).toBe(false);
  });

  it('signs no operation that MetaMask sends itself if others must sign too', async () => {
    const { wallet, signOperation } = await start([SECOND], 2);
    expect((await signOperation()).error?.message).toContain('2 owners of this account must sign');
    expect(wallet.dialogs).toEqual([]);
  });

  it('signs a message as one owner after one dialog, and gives the site nothing until the others have signed', async () => {
    const { wallet, signMessage } = await start([SECOND], 2);
    for (const { error, result } of [await signMessage(), await signMessage()]) {
      expect(error?.message).toContain('2 of 2 owners of this account must sign');
      expect(result).toBeUndefined();
    }
    expect(wallet.dialogs).toHaveLength(1);
  });

  it('signs both if its own key is an owner and one signature is enough', async () => {
    const { wallet, signOperation, signMessage } = await start([SECOND], 1);
    for (const { error } of [await signOperation(), await signMessage()]) expect(error).toBeUndefined();
    expect(wallet.dialogs).toHaveLength(2);
  });

  const sponsored = (more: Record<string, Json> = {}) => ({
    capabilities: { paymasterService: { url: paymaster.url, ...more } },
  });

  it('says nothing of a paymaster service in a proposal, which it does not ask', async () => {
    const { wallet, send } = await start([SECOND], 2);
    expect((await send(sponsored({ optional: true }))).error).toBeUndefined();
    const [{ text = '' } = {}] = wallet.dialogs;
    expect(text).toContain('2 owners must sign before it can be sent');
    expect(text).not.toContain('Paymaster service');
    expect(text).not.toContain(new URL(paymaster.url).host);
    expect(paymaster.asked).toEqual([]);
    expect(wasSent()).toBe(false);
  });

  it('makes no proposal with a paymaster service that the site requires', async () => {
    const { wallet, send } = await start([SECOND], 2);
    const { error } = await send(sponsored());
    expect(error).toMatchObject({
      code: 5700,
      message: expect.stringMatching(/^capabilities\.paymasterService: must be optional/u) as string,
    });
    expect(wallet.dialogs).toEqual([]);
    expect(paymaster.asked).toEqual([]);
  });
});
