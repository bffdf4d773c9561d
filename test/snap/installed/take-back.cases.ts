import { keccak256, parseTransaction, type TransactionSerialized } from 'viem';

import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { delegationCode } from '../../../src/core/eth/authorization';
import { flat } from '../../support/screen-text';
import { type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { SnapInProcess } from '../../support/wallet/in-process';
import { WalletDouble } from '../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';

describe('taking a delegation back (EIP-7702)', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await startSimulatedNode({
      eth_getCode: () => delegationCode(DELEGATES['0.8']),
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_sendRawTransaction: ([raw]) => keccak256(raw as `0x${string}`),
    });
  });
  afterEach(() => node.stop());

  /** The built snap with a delegated account. The person approves everything. */
  async function start() {
    const wallet = new WalletDouble();
    wallet.services = [new URL(node.url).origin];
    const snap = new SnapInProcess(wallet, 'built');
    await snap.keyring('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url });
    const { address } = (await snap.keyring('keyring_createAccount', { options: {} })) as { address: string };
    wallet.dialogs.length = 0;
    return { snap, wallet, address };
  }
  const sent = () => node.asked.filter(({ method }) => method === 'eth_sendRawTransaction');
  type Started = Awaited<ReturnType<typeof start>>;

  it.each<[string, string, string, (started: Started) => Promise<unknown>]>([
    [
      'the home page',
      "Asked by Keystead's home page in MetaMask",
      'Site ',
      ({ snap, address }) => snap.input({ type: 'ButtonClickEvent', name: `take-back:${CHAIN} ${address}` }),
    ],
    [
      'MetaMask',
      'Asked through MetaMask',
      'Asked by',
      ({ snap, address }) => snap.keyring('keystead_takeBackDelegation', { chainId: CHAIN, address }),
    ],
  ])('says that %s asks, and sends a transaction that does it', async (_who, row, otherRow, ask) => {
    const started = await start();
    await ask(started);
    const { wallet, address } = started;
    expect(wallet.dialogs).toHaveLength(1);
    const { text } = wallet.dialogs[0]!;
    expect(text).toContain(row);
    expect(text).not.toContain(otherRow);
    expect(text).toContain('This takes back the upgrade (EIP-7702) of your account on');
    expect(text).toContain(`Address ${address}`);
    const raw = sent()[0]!.params[0] as TransactionSerialized;
    expect(parseTransaction(raw)).toMatchObject({
      type: 'eip7702',
      to: address.toLowerCase(),
      nonce: 5,
      authorizationList: [{ chainId: 31337, address: `0x${'0'.repeat(40)}`, nonce: 6 }],
    });
  });

  it('is offered by the home page as long as the account is delegated', async () => {
    const { snap, address } = await start();
    const button = `take-back:${CHAIN} ${address}`;
    expect(JSON.stringify(await snap.home())).toContain(button);
    node.answers.eth_getCode = () => '0x';
    const page = await snap.input({ type: 'ButtonClickEvent', name: button });
    expect(JSON.stringify(page)).not.toContain(button);
    expect(flat(page)).not.toContain('Upgraded accounts');
    expect(sent()).toEqual([]);
  });
});
