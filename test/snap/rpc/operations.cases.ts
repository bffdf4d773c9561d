import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { type Hex } from 'viem';
import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction';

import { DAPP, installForDapps, type Sent } from '../../support/dapp';
import { ALICE, BOB } from '../../support/explaining';
import { type Answer } from '../../support/wallet/installed';
import { type ForOneTest, useEmptiedSnap } from '../../support/wallet/emptied';
import { answersOfBundle } from '../../support/operation-event';
import { textOf } from '../../support/screen-text';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { FUNDED } from './sending';

const CHAIN = 'eip155:31337';
const OTHER = 'https://other.example';
const MADE_ELSEWHERE = 'Keystead did not prepare this operation';
type Operation = Record<string, Json>;

const start = useEmptiedSnap(installForDapps);

let node: SimulatedNode;
beforeEach(async () => {
  node = await startSimulatedNode({ ...FUNDED, eth_getCode: () => '0x' });
});
afterEach(() => node.stop());

let accounts = 0;

/** The snap with a smart account of its own for each test, to which two sites are connected. */
async function prepared({ mayKeep = ['prepared'] }: ForOneTest = {}) {
  const keystead = await start({ mayKeep });
  const { call, connect, send } = keystead;
  const options = { type: 'eip155:erc4337', chainId: CHAIN, index: accounts++ };
  const account = (await call<KeyringAccount>('keyring_createAccount', { options })).result!;
  const setUp = send('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
  await (await setUp.getInterface()).ok();
  await setUp;
  for (const origin of [DAPP, OTHER]) await connect(origin);
  return { ...keystead, account };
}

const operationOf = (sender: string, details: Operation): Operation => ({
  sender,
  nonce: details.nonce!,
  initCode: details.initCode!,
  callData: details.callData!,
  ...(details.gasLimits as Operation),
  maxFeePerGas: '0x59682f00',
  maxPriorityFeePerGas: '0x59682f00',
  paymasterAndData: details.dummyPaymasterAndData!,
  signature: details.dummySignature!,
});
const intents = (to: string): Json => [{ to, value: '0x1', data: '0x' }];

/** The screens shown to the user, who approves them. */
async function shown(request: Sent): Promise<string> {
  const screen = await request.getInterface();
  const said = textOf(screen.content).replace(/\s+/gu, ' ');
  await screen.ok();
  expect((await request).response.error).toBeUndefined();
  return said;
}

describe('an operation prepared by one caller', () => {
  it('is signed as prepared, whatever another caller prepares and patches for the same account', async () => {
    const { account, ask, dapp, sign, submit } = await prepared();
    const wallet = (await sign(account.id, 'eth_prepareUserOperation', intents(ALICE), CHAIN)).result!;
    const ofWallet = operationOf(account.address, wallet.result as Operation);
    const site: Answer<Operation> = await ask('eth_prepareUserOperation', intents(BOB));
    const ofSite = operationOf(account.address, site.result!);
    expect((await ask('eth_patchUserOperation', [ofSite])).error).toBeUndefined();

    const byWallet = submit(account.id, 'eth_signUserOperation', [ofWallet], CHAIN) as Sent;
    expect(await shown(byWallet)).not.toContain(MADE_ELSEWHERE);
    expect(await shown(dapp('eth_signUserOperation', [ofSite]))).not.toContain(MADE_ELSEWHERE);
    expect(await shown(dapp('eth_signUserOperation', [ofWallet], OTHER))).toContain(MADE_ELSEWHERE);
  });
});

describe('an operation to which the bundler does not respond', () => {
  it('is pending under its own hash, unclear until it is looked up', async () => {
    const { account, approve, ask, snap } = await prepared();
    const sent: { operation: Record<string, Hex>; entryPoint: Hex }[] = [];
    node.answers.eth_sendUserOperation = ([operation, entryPoint]) => {
      sent.push({ operation: operation as Record<string, Hex>, entryPoint: entryPoint as Hex });
      throw new NoAnswer();
    };
    node.answers.eth_getUserOperationReceipt = () => null;
    const calls = [{ to: ALICE, value: '0x1' }];
    const params = [
      { version: '2.0.0', id: 'a', chainId: '0x7a69', from: account.address, atomicRequired: true, calls },
    ];
    expect(await approve('wallet_sendCalls', params)).toEqual({ result: { id: 'a' } });
    expect(sent).toHaveLength(1);
    const { operation, entryPoint } = sent[0]!;
    const numbers = Object.fromEntries(
      Object.entries(operation).map(([name, value]) => [name, /gas|fee|nonce/iu.test(name) ? BigInt(value) : value]),
    );
    const hash = getUserOperationHash({
      chainId: 31337,
      entryPointAddress: entryPoint,
      entryPointVersion: '0.7',
      userOperation: numbers as unknown as UserOperation<'0.7'>,
    });
    const home = async () => textOf((await snap.onHomePage()).getInterface().content as never).replace(/\s+/gu, ' ');
    expect(await home()).toContain('Status Unknown. There was no answer');
    expect(await home()).toContain(hash);
    expect((await ask('wallet_getCallsStatus', ['a'])).result).toMatchObject({ status: 100, atomic: true });

    const executed = { entryPoint, hash, sender: account.address as Hex };
    Object.assign(node.answers, answersOfBundle(`0x${'cc'.repeat(32)}`, executed));
    await snap.onBackgroundEvent({ method: 'lookUpBatches' });
    expect(await home()).toContain('Status Confirmed.');
    expect((await ask('wallet_getCallsStatus', ['a'])).result).toMatchObject({ status: 200 });
  });

  it('is not stored if the bundler rejects it', async () => {
    const { account, approve, ask } = await prepared({ mayKeep: ['prepared', 'batches'] });
    node.answers.eth_sendUserOperation = () => {
      throw new NodeRefusal('AA25 invalid account nonce', -32500);
    };
    const calls = [{ to: ALICE, value: '0x1' }];
    const params = [
      { version: '2.0.0', id: 'rejected', chainId: '0x7a69', from: account.address, atomicRequired: true, calls },
    ];
    expect((await approve('wallet_sendCalls', params)).error).toMatchObject({ code: -32003 });
    expect((await ask('wallet_getCallsStatus', ['rejected'])).error).toMatchObject({ code: 5730 });
  });
});

describe('a paymaster service chosen by a remote site', () => {
  it('must not be a local service, in any spelling', async () => {
    const { account, ask } = await prepared({ mayKeep: ['prepared', 'batches'] });
    node.asked.length = 0;
    for (const host of [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'app.localhost',
      'app.localhost.',
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '0x7f000001',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
    ]) {
      const capabilities = { paymasterService: { url: `https://${host}/rpc` } };
      const calls = [{ to: ALICE }];
      const params = [
        { version: '2.0.0', chainId: '0x7a69', from: account.address, atomicRequired: true, calls, capabilities },
      ];
      const { error } = await ask('wallet_sendCalls', params);
      expect({ host, code: error?.code }).toEqual({ host, code: -32602 });
      expect(error?.message).toContain('capabilities.paymasterService.url: must');
    }
    expect(node.asked).toEqual([]);
  });
});
