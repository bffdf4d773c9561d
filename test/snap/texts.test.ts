import { expect } from '@jest/globals';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';

import { installKeystead } from '../helpers/wallet/installed';
import { textOf } from '../helpers/screen-text';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ALWAYS = { version: 1, settings: { confirmSignatures: 'always' } };
const MESSAGE = '0x48656c6c6f';
const MISSED = {
  code: -32003,
  message: 'The wallet did not give Keystead the file of its texts, so it cannot ask. Nothing was signed.',
  data: { code: 'wallet-refused' },
};

/** A wallet that gives the file of texts when it is told to. */
function withholding() {
  const asked = { times: 0, given: false };
  const answer = ({ method, params }: JsonRpcRequest): Promise<Json | undefined> | Json | undefined => {
    if (method !== 'snap_getFile' || (params as { path: string }).path !== 'texts.json') return undefined;
    asked.times++;
    return asked.given ? undefined : Promise.reject({ code: -32603, message: 'no such file' });
  };
  return { asked, answer };
}

describe('the file of the texts', () => {
  it('is read at the first request, and not again', async () => {
    const { asked, answer } = withholding();
    asked.given = true;
    const { call } = await installKeystead({ answer, state: ALWAYS });
    expect(asked.times).toBe(0);
    for (let time = 0; time < 3; time++) expect((await call('keyring_listAccounts')).result).toEqual([]);
    expect(asked.times).toBe(1);
  });

  it('holds letters that are not ASCII', async () => {
    const { create, submit } = await installKeystead({ state: ALWAYS });
    const { id, address } = await create();
    const signing = submit(id, 'personal_sign', [`0x${Buffer.from('a\u202eb').toString('hex')}`, address]);
    const screen = await signing.getInterface();
    expect(textOf(screen.content)).toContain(
      String.raw`This message holds deceptive or invisible characters. They are shown as \u{…}.`,
    );
    await screen.cancel();
    expect((await signing).response.error).toMatchObject({ code: 4001 });
  });

  it('is not needed by what asks nobody', async () => {
    const { call, create } = await installKeystead({ answer: withholding().answer, state: { version: 1 } });
    const account = await create();
    expect((await call('keyring_listAccounts')).result).toEqual([account]);
  });

  it('lets nothing be signed, imported or handed out blindly while the wallet does not give it', async () => {
    const { asked, answer } = withholding();
    const { call, create, submit } = await installKeystead({ answer, state: ALWAYS });
    const { id, address } = await create();
    const sign = () => submit(id, 'personal_sign', [MESSAGE, address]);
    expect((await sign()).response.error).toMatchObject(MISSED);
    expect((await call('keyring_createAccount', { options: { privateKey: KEY } })).error).toMatchObject(MISSED);
    expect((await call('keyring_exportAccount', { id })).error).toMatchObject(MISSED);
    asked.given = true;
    const signing = sign();
    const screen = await signing.getInterface();
    expect(textOf(screen.content)).toContain('Hello');
    await screen.ok();
    expect((await signing).response.error).toBeUndefined();
  });

  it('leaves insights that say that nothing can be said', async () => {
    const { snap } = await installKeystead({ answer: withholding().answer, state: ALWAYS });
    const insight = await snap.onTransaction({
      origin: 'https://example.com',
      to: `0x${'11'.repeat(20)}`,
      data: '0x1234',
    });
    expect(textOf(insight.getInterface().content)).toContain('Keystead cannot say what this does.');
  });
});
