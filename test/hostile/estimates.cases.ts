import { type Json } from '@metamask/snaps-sdk';
import { numberToHex } from 'viem';

import { startForOutcomes } from '../support/hostile/outcome';
import { NoAnswer, NodeRefusal, type SimulatedNode, startSimulatedNode } from '../support/simulated-node';
import { WalletDouble } from '../support/wallet/wallet-double';

/*
 * Gas estimates of a bundler during preparation, and the resulting gas limits. Only if the bundler does not respond are
 * they left to the wallet.
 */

const CHAIN = 'eip155:31337';
const INTENT = { to: `0x${'77'.repeat(20)}`, value: '0x1', data: '0x' };
const ESTIMATE = { callGasLimit: '0x5', verificationGasLimit: '0xa', preVerificationGas: '0x64' };
const wallet = new WalletDouble();
const snap = startForOutcomes(wallet);

describe('the gas limits of a prepared operation', () => {
  let node: SimulatedNode;
  let account: string;

  beforeAll(async () => {
    node = await startSimulatedNode({
      eth_getCode: () => '0x',
      eth_call: () => numberToHex(5, { size: 32 }),
    });
    wallet.services = [node.url];
    const chain = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url };
    expect((await snap.keyring('keystead_setChain', chain)).error).toBeUndefined();
    const options = { type: 'eip155:erc4337', chainId: CHAIN };
    const { result } = await snap.keyring('keyring_createAccount', { options });
    account = (result as { id: string }).id;
  });
  afterAll(async () => {
    await node.stop();
  });

  const prepare = (estimate: () => unknown) => {
    node.answers.eth_estimateUserOperationGas = estimate;
    return snap.submit(account, 'eth_prepareUserOperation', [INTENT], CHAIN);
  };
  const gasLimits = (result: Json | undefined) => (result as Record<string, Json>).gasLimits;

  it('are the estimate plus a fifth', async () => {
    const { result } = await prepare(() => ESTIMATE);
    expect(gasLimits(result)).toEqual({ callGasLimit: '0x6', verificationGasLimit: '0xc', preVerificationGas: '0x78' });
  });

  it('stay within the limit at the highest estimate plus a fifth', async () => {
    const { result } = await prepare(() => ({ ...ESTIMATE, callGasLimit: numberToHex(2n ** 119n - 1n) }));
    const { callGasLimit } = gasLimits(result) as { callGasLimit: string };
    expect(BigInt(callGasLimit)).toBe(((2n ** 119n - 1n) * 6n + 4n) / 5n);
  });

  it('are left to the wallet if the bundler hangs up', async () => {
    const { result } = await prepare(() => {
      throw new NoAnswer();
    });
    expect(result).toMatchObject({ nonce: '0x5' });
    expect(result).not.toHaveProperty('gasLimits');
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['no gas for the call', { ...ESTIMATE, callGasLimit: '0x0' }],
    ['no gas for the check', { ...ESTIMATE, verificationGasLimit: '0x0' }],
    ['2^119', { ...ESTIMATE, callGasLimit: numberToHex(2n ** 119n) }],
    ['2^120-1, which the fifth would make too much', { ...ESTIMATE, preVerificationGas: `0x${'f'.repeat(30)}` }],
    ['2^128', { ...ESTIMATE, verificationGasLimit: numberToHex(2n ** 128n) }],
    ['a negative number', { ...ESTIMATE, callGasLimit: -1 }],
    ['a number in decimal', { ...ESTIMATE, callGasLimit: '21000' }],
    ['a list', [ESTIMATE]],
  ])('are an error if the bundler answers %s', async (_what, answer) => {
    const { error } = await prepare(() => answer);
    expect(error).toMatchObject({ code: -32002, data: { code: 'service-failed' } });
    expect(error?.message).toMatch(
      /^The bundler at .* (returned a malformed result for|returned an estimate without callGasLimit)/u,
    );
  });

  it('are replaced by an explained error if the bundler says that the operation would fail', async () => {
    const { error } = await prepare(() => {
      throw new NodeRefusal('AA98 invalid paymaster', -32500);
    });
    expect(error).toMatchObject({ code: -32003, data: { code: 'service-refused', serviceCode: '-32500' } });
    expect(error?.message).toMatch(/^paymasterAndData names the zero address/u);
  });
});
