import { type Json } from '@metamask/snaps-sdk';
import { privateKeyToAddress } from 'viem/accounts';

import { privateKeyIn } from '../../../../src/snap/account/ask-for-key';
import { answerOf, SnapInProcess } from '../../../support/wallet/in-process';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const DIGITS = KEY.slice(2);
const PAGE = 'http://localhost:8000';

/** The whole snap, in which the person types a text into the dialog. */
function start(typed: string) {
  const wallet = new WalletDouble();
  wallet.typed = { 'private-key': typed };
  const snap = new SnapInProcess(wallet);
  const create = (options: Json) => answerOf(snap.keyring('keyring_createAccount', { options }, PAGE));
  return { wallet, create };
}

describe('a private key that the person enters', () => {
  it.each([KEY, DIGITS, DIGITS.toUpperCase(), `0X${DIGITS}`, `  ${DIGITS}\n`])('is taken as %j', async (typed) => {
    const { wallet, create } = start(typed);
    const { result } = await create({ type: 'eip155:eoa', importKey: true });
    expect(result).toMatchObject({ address: privateKeyToAddress(KEY), options: { entropy: { type: 'private-key' } } });
    expect(wallet.dialogs.map(({ text }) => text.slice(0, 20))).toEqual([
      'Import a private key',
      'Import an account Si',
    ]);
    // Neither the answer nor a screen repeats it.
    const all = JSON.stringify([result, wallet.dialogs, [...wallet.interfaces.values()]]).toLowerCase();
    expect(all).not.toContain(DIGITS);
  });

  it.each(['', '0x', 'hello', DIGITS.slice(1), `${DIGITS}0`, '0'.repeat(64), 'f'.repeat(64)])(
    'is refused without a trace if it is none: %j',
    async (typed) => {
      expect(privateKeyIn(typed)).toBeUndefined();
      const { wallet, create } = start(typed);
      const { error } = await create({ type: 'eip155:eoa', importKey: true });
      expect(error).toMatchObject({ code: -32602, message: 'privateKey: must be entered: 64 hex digits' });
      expect(wallet.stored.size).toBe(0);
    },
  );

  it('is asked for only if everything else is right', async () => {
    for (const options of [
      { importKey: true, privateKey: KEY },
      { importKey: true, nothing: 1 },
      { importKey: true, type: 'eip155:erc4337' },
      { importKey: true, type: 'eip155:erc4337', chainId: 'eip155:1', index: 0 },
      { importKey: false },
      { importKey: 'yes' },
    ] as Json[]) {
      const { wallet, create } = start(KEY);
      expect((await create(options)).error).toMatchObject({ code: -32602 });
      expect(wallet.dialogs).toEqual([]);
    }
  });

  it('is not imported if either dialog is rejected', async () => {
    for (const at of [0, 1]) {
      const { wallet, create } = start(KEY);
      let dialogs = 0;
      wallet.onRequest = ({ method }) => {
        if (method === 'snap_dialog' && dialogs++ === at) wallet.plan({ at: 0, fault: 'declined' });
      };
      expect((await create({ importKey: true })).error).toMatchObject({ code: 4001 });
      expect(wallet.stored.size).toBe(0);
    }
  });
});
