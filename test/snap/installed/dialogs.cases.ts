import { type Json } from '@metamask/snaps-sdk';

import { answerOf, DAPP, OTHER, SnapInProcess } from '../../support/wallet/in-process';
import { WalletDouble } from '../../support/wallet/wallet-double';

const HELLO = '0x68656c6c6f';
const settled = async (): Promise<void> => {
  for (let at = 0; at < 20; at++)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
};

describe('the dialogs of several callers', () => {
  /** The built snap with an account to which two sites are connected, in a wallet whose dialogs stay open. */
  async function start() {
    const wallet = new WalletDouble();
    const snap = new SnapInProcess(wallet, 'built');
    const account = (await snap.keyring('keyring_createAccount', { options: {} })) as { id: string; address: string };
    for (const site of [DAPP, OTHER]) await snap.dapp('eth_requestAccounts', [], site);
    wallet.dialogs.length = 0;
    const open: (() => void)[] = [];
    wallet.order = (call) =>
      call.startsWith('snap_dialog')
        ? new Promise<void>((resolve) => {
            open.push(resolve);
          })
        : Promise.resolve();
    /** The person approves the dialog that is open longest. */
    const approve = async (): Promise<void> => {
      open.shift()!();
      await settled();
    };
    const sign = async (site: string) => {
      const answer = answerOf<string>(snap.dapp('personal_sign', [HELLO, account.address], site));
      await settled();
      return { answer };
    };
    return { wallet, snap, account, open, approve, sign };
  }
  const DANGEROUS = (address: string): Json => [
    address,
    {
      types: {
        EIP712Domain: [],
        Permit: ['owner:address', 'spender:address', 'value:uint256', 'nonce:uint256', 'deadline:uint256'].map(
          (one) => ({
            name: one.split(':')[0]!,
            type: one.split(':')[1]!,
          }),
        ),
      },
      primaryType: 'Permit',
      domain: {},
      message: {
        owner: address,
        spender: `0x${'1'.repeat(40)}`,
        value: `${2n ** 256n - 1n}`,
        nonce: '0',
        deadline: '1900000000',
      },
    },
  ];

  it('wait for each other: a site, another site, and what the person has confirmed in MetaMask', async () => {
    const { open, approve, sign, snap, account, wallet } = await start();
    const first = await sign(DAPP);
    const second = await sign(OTHER);
    const permit = answerOf(snap.submit(account.id, 'eth_signTypedData_v4', DANGEROUS(account.address)));
    await settled();
    expect(open).toHaveLength(1);
    for (let at = 0; at < 3; at++) await approve();
    const answers = await Promise.all([first.answer, second.answer, permit]);
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    // Who had no dialog yet comes first.
    expect(wallet.dialogs.map(({ text }) => ['hello', 'Asked again'].find((word) => text.includes(word)))).toEqual([
      'hello',
      'Asked again',
      'hello',
    ]);
    expect(wallet.dialogs[2]!.text).toContain(OTHER);
  });

  it('are two of one site at most, one of which waits; a site learns nothing else', async () => {
    const { approve, sign } = await start();
    const first = await sign(DAPP);
    const second = await sign(DAPP);
    const third = await sign(DAPP);
    const waiting = await sign(OTHER);
    const further = await sign(OTHER);
    const busy = {
      code: -32002,
      message: 'Too many requests are waiting for the user. Try again later.',
      data: { code: 'too-many-requests' },
    };
    expect((await third.answer).error).toMatchObject(busy);
    expect((await further.answer).error).toMatchObject(busy);
    for (let at = 0; at < 3; at++) await approve();
    for (const { answer } of [first, second, waiting]) expect(await answer).toHaveProperty('result');
  });

  it('go on after one that the wallet could not show', async () => {
    const { wallet, sign, snap, account } = await start();
    wallet.order = undefined;
    wallet.onRequest = ({ method }) => {
      if (method === 'snap_dialog') wallet.plan({ at: 0, fault: 'fails' });
    };
    expect((await (await sign(DAPP)).answer).error).toMatchObject({ code: -32003 });
    wallet.onRequest = undefined;
    expect(await snap.dapp('personal_sign', [HELLO, account.address], OTHER)).toMatch(/^0x/u);
  });

  it('of a site that asks again and again can all be rejected, and the other site goes on', async () => {
    const { wallet, sign, snap } = await start();
    wallet.order = undefined;
    wallet.choice = ['reject-all'];
    const answers: (number | undefined)[] = [];
    for (let at = 0; at < 20; at++) answers.push((await (await sign(DAPP)).answer).error?.code);
    // Two are approved; the third offers it.
    expect(answers).toEqual([undefined, undefined, ...Array<number>(18).fill(4001)]);
    expect(wallet.dialogs).toHaveLength(3);
    expect(wallet.dialogs[2]!.text).toContain('Reject this, and all requests from this site for a minute');
    expect(await (await sign(OTHER)).answer).toHaveProperty('result');
    expect(await snap.dapp('eth_accounts', [], DAPP)).toHaveLength(1);
    wallet.clock.now += 60_000;
    wallet.choice = undefined;
    expect(await (await sign(DAPP)).answer).toHaveProperty('result');
  });
});
