import { type Json } from '@metamask/snaps-sdk';
import { encodeFunctionData, erc20Abi, getAddress, maxUint256 } from 'viem';

import { ADVICE } from '../../../../src/core/decode/effects/dangers';
import { transaction, ALICE, BOB, typedData, USDC } from '../../../support/explaining';
import { openPart } from '../../../support/open-part';
import { flat } from '../../../support/screen-text';
import { DAPP, SnapInProcess } from '../../../support/wallet/in-process';
import { WalletDouble } from '../../../support/wallet/wallet-double';

type Account = { readonly id: string; readonly address: string };

const approve = (spender = BOB, amount = maxUint256) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] });

const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
const permit = (owner: string, value = maxUint256) =>
  typedData(
    PERMIT,
    { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: USDC },
    { owner, spender: BOB, value: `${value}`, nonce: '0', deadline: '1900000000' },
  );
const unknown = (from: string) =>
  typedData(
    'Move(address from,address to,uint256 amount,uint256 minimum,string note)',
    { name: 'Mover', version: '1', chainId: 1, verifyingContract: ALICE },
    { from, to: BOB, amount: '123456789', minimum: '987654321', note: 'as agreed' },
  );

/** A wallet with one account, its confirmations and the snap's dialogs. */
async function start() {
  const world = new WalletDouble();
  let snap = new SnapInProcess(world);
  const contents: Json[] = [];
  world.onRequest = ({ method, params }) => {
    if (method === 'snap_dialog') contents.push((params as { content: Json }).content);
  };
  const account = (await snap.keyring('keyring_createAccount', { options: {} })) as Account;
  const insight = async (kind: 'onTransaction' | 'onSignature', request: Record<string, Json>): Promise<Json> =>
    ((await snap.insight(kind, request)) as { content: Json }).content;
  /** MetaMask's confirmation of typed data. */
  const showTyped = (data: object, from = account.address) =>
    insight('onSignature', {
      signature: { from, data: data as Json, signatureMethod: 'eth_signTypedData_v4' },
      signatureOrigin: DAPP,
    });
  const showMessage = (data: string) =>
    insight('onSignature', {
      signature: { from: account.address, data, signatureMethod: 'personal_sign' },
      signatureOrigin: DAPP,
    });
  const showTransaction = (fields: Record<string, string>) =>
    insight('onTransaction', {
      transaction: { from: account.address, to: USDC, value: '0x0', data: '0x', ...fields },
      chainId: 'eip155:1',
      transactionOrigin: DAPP,
    });
  const dialogOf = async (method: string, params: Json): Promise<Json> => {
    contents.length = 0;
    await snap.submit(account.id, method, params, 'eip155:1');
    return contents[0] ?? null;
  };
  return {
    world,
    account,
    showTyped,
    showMessage,
    showTransaction,
    signTyped: (data: object) => dialogOf('eth_signTypedData_v4', [account.address, data as Json]),
    signMessage: (message: string) => dialogOf('personal_sign', [message, account.address]),
    signTransaction: (fields: Record<string, string>) =>
      dialogOf('eth_signTransaction', [transaction({ from: account.address, ...fields })]),
    always: () => snap.input({ type: 'FormSubmitEvent', name: 'settings', value: { confirmSignatures: 'always' } }),
    /** MetaMask stops a snap that is idle. */
    restart: () => {
      snap = new SnapInProcess(world);
    },
  };
}

const wordsOf = (content: Json): number => openPart(content).join(' ').split(/\s+/u).length;
const said = (content: Json): string => flat(content).toLowerCase();

/** It is the whole dialog: its rows are on the open part, with the advice. */
function expectWhole(content: Json): void {
  const open = openPart(content).join('\n');
  expect(open).toContain('You allow: ');
  expect(open).toContain(getAddress(BOB));
  expect(said(content)).not.toContain('the whole request');
}

describe('a dialog after the confirmation of MetaMask is whole', () => {
  it('if MetaMask has shown no insight', async () => {
    const { account, signTyped } = await start();
    const content = await signTyped(permit(account.address));
    expectWhole(content);
    expect(openPart(content).join('\n')).toContain(ADVICE['unlimited-approval']);
  });

  it('if the insight was into another request', async () => {
    const { account, showTyped, signTyped, showTransaction, signTransaction } = await start();
    await showTyped(permit(account.address, maxUint256 - 1n));
    expectWhole(await signTyped(permit(account.address)));
    await showTransaction({ data: approve(ALICE) });
    expectWhole(await signTransaction({ data: approve() }));
  });

  it('if the insight was into a request of another account', async () => {
    const { account, showTyped, signTyped } = await start();
    await showTyped(permit(account.address), ALICE);
    expectWhole(await signTyped(permit(account.address)));
  });

  it('if the insight was into an earlier request of the same kind, which has had its dialog', async () => {
    const { account, showTyped, signTyped } = await start();
    await showTyped(permit(account.address));
    expect(openPart(await signTyped(permit(account.address))).join('\n')).not.toContain('You allow');
    expectWhole(await signTyped(permit(account.address)));
  });

  it('if the insight was shown long ago', async () => {
    const { world, account, showTyped, signTyped } = await start();
    await showTyped(permit(account.address));
    world.clock.now += 1_801_000;
    expectWhole(await signTyped(permit(account.address)));
  });

  it('if the wallet could not store what the insight showed', async () => {
    const { world, account, showTyped, signTyped, restart } = await start();
    await showTyped(permit(account.address));
    world.state = { ...world.state, insights: 'damaged' };
    restart();
    expectWhole(await signTyped(permit(account.address)));
  });
});

type Started = Awaited<ReturnType<typeof start>>;

const HASH = `0x${'8f'.repeat(32)}`;
const HELLO = '0x68656c6c6f';

/** The insight into a request, and the dialog after it. The wallet stops the snap in between. */
async function both({ restart }: Started, show: () => Promise<Json>, sign: () => Promise<Json>) {
  const shown = await show();
  restart();
  return [shown, await sign()] as const;
}
const bothTyped = (world: Started, data: object) =>
  both(
    world,
    () => world.showTyped(data),
    () => world.signTyped(data),
  );
const bothMessages = (world: Started, message: string) =>
  both(
    world,
    () => world.showMessage(message),
    () => world.signMessage(message),
  );
const bothTransactions = (world: Started, shown: Record<string, string>, signed = shown) =>
  both(
    world,
    () => world.showTransaction(shown),
    () => world.signTransaction(signed),
  );

describe('a dialog after the confirmation of MetaMask, which has shown an insight', () => {
  it.each([
    ['a permit', 28, (world: Started) => bothTyped(world, permit(world.account.address))],
    ['an unlimited approval', 40, (world: Started) => bothTransactions(world, { data: approve() })],
    ['typed data that nobody knows', 20, (world: Started) => bothTyped(world, unknown(world.account.address))],
    ['a message that may be a hash', 35, (world: Started) => bothMessages(world, HASH)],
  ])('%s: says its reason alone in %i words, and has the rest in a section', async (_name, most, ask) => {
    const [shown, again] = await ask(await start());
    expect(flat(again)).toContain('Asked again because');
    expect(wordsOf(again)).toBeLessThanOrEqual(most);
    // Nothing of the first screen is lost.
    expect(openPart(shown).length).toBeGreaterThan(3);
    for (const line of openPart(shown)) {
      const value = line.slice(line.lastIndexOf(': ') + 1).replace(/^(?:# |\[\w+\] )/u, '');
      expect(said(again)).toContain(value.trim().toLowerCase());
    }
  });

  it('says that the settings want it', async () => {
    const world = await start();
    await world.always();
    const [, again] = await bothMessages(world, HELLO);
    expect(openPart(again)).toEqual([
      '# Sign a message',
      'Asked again because: your settings say so',
      `Site: ${DAPP}`,
      'Account: Keystead 1',
    ]);
    expect(said(again)).toContain('hello');
  });

  it('has a fee on the open part that is not the one that was shown', async () => {
    const data = approve();
    const [, again] = await bothTransactions(
      await start(),
      { data, gasLimit: '0x5208', maxFeePerGas: '0x1' },
      { data },
    );
    expect(openPart(again).join('\n')).toMatch(/^Network fee: up to 0\.00/mu);
  });
});
