import { randomUUID } from 'node:crypto';

import { type Json } from '@metamask/snaps-sdk';
import { numberToHex } from 'viem';

import { KEY, OTHER } from '../support/hostile/people';
import { startHostileSuite } from '../support/hostile/suite';
import { type SimulatedNode, startSimulatedNode } from '../support/simulated-node';

const CHAIN = 'eip155:31337';
const SITE = 'https://evil.example';
const CHANGED = /must not change after the operation was prepared/u;

const { wallet, snap, grants } = startHostileSuite();
let node: SimulatedNode;
let account: { id: string; address: string };

beforeAll(async () => {
  node = await startSimulatedNode({
    eth_getCode: () => '0x',
    eth_getBalance: () => '0xde0b6b3a7640000',
    // The nonce, which the entry point answers, and the deposit.
    eth_call: ([call]) => numberToHex((call as { data: string }).data.startsWith('0x35567e1a') ? 5 : 0, { size: 32 }),
    eth_estimateUserOperationGas: () => ({
      callGasLimit: '0x5208',
      verificationGasLimit: '0x30d40',
      preVerificationGas: '0xc350',
    }),
  });
  wallet.services = [node.url];
  await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
  const options = { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: '0.7', privateKey: KEY };
  account = (await snap.keyring('keyring_createAccount', { options })).result as typeof account;
  await grants.put(SITE, { accounts: [account.id], chainId: CHAIN });
});
afterAll(() => node.stop());

/** A request that the wallet hands on; `origin` is text in it, whoever called. */
const submit = (origin: string, method: string, params: Json[]) =>
  snap.keyring('keyring_submitRequest', {
    id: randomUUID(),
    scope: CHAIN,
    account: account.id,
    origin,
    request: { method, params },
  });

type Details = { nonce: string; initCode: string; callData: string; gasLimits: object; dummySignature: string };

const operationOf = ({ nonce, initCode, callData, gasLimits, dummySignature }: Details) => ({
  sender: account.address,
  nonce,
  initCode,
  callData,
  ...gasLimits,
  maxFeePerGas: '0x12a05f200',
  maxPriorityFeePerGas: '0x3b9aca00',
  paymasterAndData: '0x',
  signature: dummySignature,
});

const intentOf = (value: string): Json => ({ to: OTHER, value, data: '0x' });

describe('what was prepared belongs to who called the snap, not to the origin that a request names', () => {
  it('a changed operation is refused whatever origin the request names', async () => {
    const { result } = await submit('metamask', 'eth_prepareUserOperation', [intentOf('0x1')]);
    const operation = { ...operationOf((result as { result: Details }).result), callGasLimit: '0xffffff' };
    for (const origin of ['metamask', 'https://another.example', SITE]) {
      const { error, screens } = await submit(origin, 'eth_signUserOperation', [operation]);
      expect(error?.message).toMatch(CHANGED);
      expect(screens).toEqual([]);
    }
  });

  it('a site that prepares cannot have its operation pass as the wallet’s', async () => {
    await submit('metamask', 'eth_prepareUserOperation', [intentOf('0x1')]);
    const { result } = await snap.dapp(SITE, 'eth_prepareUserOperation', [intentOf('0x77')]);
    const { error } = await submit(SITE, 'eth_signUserOperation', [operationOf(result as unknown as Details)]);
    expect(error?.message).toMatch(CHANGED);
  });

  it('the origin that a request names is not stored', async () => {
    await submit('x'.repeat(100_000), 'eth_prepareUserOperation', [intentOf('0x2')]);
    expect(JSON.stringify(wallet.state.prepared).length).toBeLessThan(20_000);
  });
});
