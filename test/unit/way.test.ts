import { keccak256, pad } from 'viem';

import { type Hex } from '../../src/core/eth/bytes';
import { startSimulatedNode } from '../support/simulated-node';
import { SnapInProcess } from '../support/wallet/in-process';
import { wayOf } from '../support/wallet/way';
import { WalletDouble } from '../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const SITE = 'http://localhost:3000';
const ALICE: Hex = `0x${'a1'.repeat(20)}`;

/** Counts the functions and files of `src` that a request runs. `PRINT_WAY=1` prints them, file by file. */
async function lengthOf(
  request: () => Promise<unknown>,
): Promise<{ readonly files: number; readonly functions: number }> {
  const way = await wayOf(request);
  const files = new Map<string, string[]>();
  for (const { file, name, line } of way) files.set(file, [...(files.get(file) ?? []), `${name || '()'}:${line}`]);
  if (process.env.PRINT_WAY === '1')
    process.stdout.write(`${[...files].map(([file, steps]) => `${file}  ${steps.join(' ')}`).join('\n')}\n\n`);
  return { files: files.size, functions: way.length };
}

/**
 * The longest way that a change may leave. Each is a later request: the first one fills caches besides. V8 does not
 * count what it inlines, so that a few functions are missing now and then.
 */
const LONGEST = {
  personal_sign: { files: 45, functions: 160 },
  wallet_sendCalls: { files: 120, functions: 628 },
};

describe('the way of a request through the snap', () => {
  it('of personal_sign, sent by the wallet, is no longer than it was', async () => {
    const snap = new SnapInProcess(new WalletDouble());
    const { id, address } = (await snap.keyring('keyring_createAccount', { options: {} })) as {
      id: string;
      address: Hex;
    };
    const ask = () => snap.submit(id, 'personal_sign', ['0x68656c6c6f', address]);
    await ask();
    const { files, functions } = await lengthOf(ask);
    expect(files).toBeLessThanOrEqual(LONGEST.personal_sign.files);
    expect(functions).toBeLessThanOrEqual(LONGEST.personal_sign.functions);
    // A count of nothing would be no longer either.
    expect(functions).toBeGreaterThan(LONGEST.personal_sign.functions / 2);
  });

  it('of wallet_sendCalls, sent by a site for a smart account, is no longer than it was', async () => {
    const node = await startSimulatedNode({
      eth_getCode: () => '0x60',
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_call: () => pad('0x0'),
      eth_sendRawTransaction: ([raw]) => keccak256(raw as Hex),
      eth_estimateUserOperationGas: () => ({
        callGasLimit: '0x10000',
        verificationGasLimit: '0x20000',
        preVerificationGas: '0xc000',
      }),
      eth_sendUserOperation: () => `0x${'11'.repeat(32)}`,
    });
    const wallet = new WalletDouble();
    wallet.services = [new URL(node.url).origin];
    const snap = new SnapInProcess(wallet);
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
    const options = { type: 'eip155:erc4337', chainId: CHAIN };
    const { address } = (await snap.keyring('keyring_createAccount', { options })) as { address: Hex };
    await snap.dapp('eth_requestAccounts', [], SITE);
    const batch = { version: '2.0.0', chainId: '0x7a69', atomicRequired: true, from: address };
    const send = () => snap.dapp('wallet_sendCalls', [{ ...batch, calls: [{ to: ALICE, value: '0x1' }] }], SITE);
    const { files, functions } = await lengthOf(send);
    await node.stop();
    expect(files).toBeLessThanOrEqual(LONGEST.wallet_sendCalls.files);
    expect(functions).toBeLessThanOrEqual(LONGEST.wallet_sendCalls.functions);
    expect(functions).toBeGreaterThan(LONGEST.wallet_sendCalls.functions / 2);
  });
});
