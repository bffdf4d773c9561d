import { keccak256, parseTransaction, type TransactionSerializedEIP1559 } from 'viem';

import { flat } from '../../support/screen-text';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { SnapInProcess } from '../../support/wallet/in-process';
import { WalletDouble } from '../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const TO = `0x${'a1'.repeat(20)}` as const;
const LISTED = [{ address: TO, storageKeys: [`0x${'07'.repeat(32)}`] }];

describe('a pending transaction on the home page', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await startSimulatedNode({
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_getCode: () => '0x',
      eth_sendRawTransaction: ([raw]) => keccak256(raw as `0x${string}`),
    });
  });
  afterEach(() => node.stop());

  const sent = () =>
    node.asked
      .filter(({ method }) => method === 'eth_sendRawTransaction')
      .map(({ params }) => parseTransaction(params[0] as TransactionSerializedEIP1559));

  /** The built snap, with a transaction of a site that nobody includes. */
  async function start() {
    const wallet = new WalletDouble();
    wallet.services = [new URL(node.url).origin];
    const snap = new SnapInProcess(wallet, 'built');
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url });
    const { address: from } = (await snap.keyring('keyring_createAccount', { options: {} })) as { address: string };
    await snap.dapp('eth_requestAccounts');
    await snap.dapp('wallet_switchEthereumChain', [{ chainId: '0x7a69' }]);
    await snap.dapp('eth_sendTransaction', [{ from, to: TO, value: '0x7', accessList: LISTED }]);
    wallet.dialogs.length = 0;
    const press = async (prefix: string): Promise<string> => {
      const [name] = new RegExp(`${prefix}0x[0-9a-f]{64}`, 'u').exec(JSON.stringify(await snap.home()))!;
      return flat((await snap.input({ type: 'ButtonClickEvent', name })) as object);
    };
    return { wallet, snap, from, press };
  }

  it('is not replaced behind the person’s back: rejecting signs nothing, and a refusal is told', async () => {
    const { wallet, press } = await start();
    const { show } = wallet;
    wallet.show = (content) => show.call(wallet, content, false);
    await press('speed-up:');
    expect(sent()).toHaveLength(1);
    expect(wallet.dialogs).toMatchObject([{ agreed: false, text: expect.stringContaining('Speed up: Send') }]);
    wallet.show = show;
    node.answers.eth_sendRawTransaction = () => {
      throw new NodeRefusal('insufficient funds for gas', -32000);
    };
    await press('cancel:');
    expect(wallet.dialogs.at(-1)?.text).toMatch(/Nothing was replaced.*insufficient funds/u);
  });

  it('is sped up with the same nonce, amount and access list, and a higher fee, and then cancelled', async () => {
    const { wallet, from, press } = await start();
    expect(await press('speed-up:')).toContain('Speed up');
    expect(wallet.dialogs).toHaveLength(1);
    expect(wallet.dialogs[0]!.text).toMatch(/Speed up: Send .*Replaces the transaction 0x.*Its nonce 5/u);
    await press('cancel:');
    expect(wallet.dialogs[1]!.text).toContain('Cancel a pending transaction');
    const [first, faster, cancellation] = sent();
    const { nonce, value, accessList } = first!;
    expect(faster).toMatchObject({ to: TO, nonce, value, accessList });
    expect(accessList).toMatchObject(LISTED);
    expect(cancellation).toMatchObject({ to: from.toLowerCase(), nonce });
    expect([cancellation!.value ?? 0n, cancellation!.data ?? '0x']).toEqual([0n, '0x']);
    const fees = [first, faster, cancellation].map((one) => one!.maxFeePerGas!);
    expect(10n * fees[1]!).toBeGreaterThanOrEqual(11n * fees[0]!);
    expect(10n * fees[2]!).toBeGreaterThanOrEqual(11n * fees[1]!);
  });
});
