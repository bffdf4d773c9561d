import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import { recoverMessageAddress, recoverTypedDataAddress, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { DAPP, type ForDapps, installForDapps } from '../../support/dapp';
import { ALICE, ME, transaction } from '../../support/explaining';
import { dataOf, PROTOCOLS } from '../../support/protocols';
import { textOf } from '../../support/screen-text';
import { useEmptiedSnap } from '../../support/wallet/emptied';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const HELLO = stringToHex('Hello, world!');

const payment = (fields: Record<string, Json> = {}) => transaction({ to: ALICE, value: '0x1', ...fields });

const start = useEmptiedSnap(installForDapps);

async function connected(): Promise<ForDapps> {
  const keystead = await start();
  await keystead.create({ privateKey: KEY });
  await keystead.connect();
  return keystead;
}

const flat = (content: unknown): string => textOf(content).replace(/\s+/gu, ' ');

describe('signing for a dapp', () => {
  it.each<[string, Json[], string]>([
    ['personal_sign', [HELLO, ME], 'Hello, world!'],
    ['eth_signTypedData_v4', [ME, dataOf(PROTOCOLS[0]!) as unknown as Json], 'spend 5.5 USDC'],
    ['eth_signTransaction', [payment()], ALICE],
  ])('%s: is asked with the origin each time, and either answer holds', async (method, params, says) => {
    const { dapp } = await connected();
    const refused = dapp(method, params);
    const screen = await refused.getInterface();
    expect(screen.type).toBe('confirmation');
    for (const part of [`Site ${DAPP}`, ME, says]) expect(flat(screen.content)).toContain(part);
    await screen.cancel();
    expect((await refused).response.error).toMatchObject({ code: 4001 });
    const approved = dapp(method, params);
    await (await approved.getInterface()).ok();
    expect((await approved).response.error).toBeUndefined();
  });

  it('returns signatures of what was shown, as verified by viem; also for typed data as text', async () => {
    const { approve } = await connected();
    const message = await approve<`0x${string}`>('personal_sign', [HELLO, ME]);
    expect(await recoverMessageAddress({ message: 'Hello, world!', signature: message.result! })).toBe(ME);
    const data = dataOf(PROTOCOLS[0]!);
    const typed = await approve<`0x${string}`>('eth_signTypedData_v4', [ME, JSON.stringify(data)]);
    expect(await recoverTypedDataAddress({ ...(data as never as object), signature: typed.result! } as never)).toBe(ME);
    expect(await approve('eth_signTypedData_v4', [ME, data as unknown as Json])).toEqual(typed);
  });

  describe('personal_ecRecover', () => {
    const signer = privateKeyToAccount(KEY);

    it('names the signer of any message to any site, as viem does', async () => {
      const { ask } = await start();
      for (const raw of ['0x', '0x00', HELLO, `0x${'ff'.repeat(300)}`] as const) {
        const signature = await signer.signMessage({ message: { raw } });
        const rs = signature.slice(2, -2);
        const [v, other] = signature.endsWith('1b') ? ['00', '1c'] : ['01', '1b'];
        for (const spelled of [signature, `0x${rs}${v}`])
          expect(await ask('personal_ecRecover', [raw, spelled], 'https://not-connected.example')).toEqual({
            result: signer.address,
          });
        // Another parity is another key's signature.
        const flipped = `0x${rs}${other}` as const;
        expect((await ask('personal_ecRecover', [raw, flipped])).result).toBe(
          await recoverMessageAddress({ message: { raw }, signature: flipped }),
        );
      }
    });

    it.each([
      ['a message that is not hex', ['hello', `0x${'11'.repeat(65)}`], 'message'],
      ['a message of more than 128 KiB', [`0x${'00'.repeat(131_073)}`, `0x${'11'.repeat(64)}1b`], 'message'],
      ['no signature', [HELLO], 'signature'],
      ['a signature of 64 bytes', [HELLO, `0x${'11'.repeat(64)}`], 'signature'],
      ['the longer signature of a smart account', [HELLO, `0x${'11'.repeat(130)}`], 'signature'],
      ['a v that no signer writes', [HELLO, `0x${'11'.repeat(64)}1d`], 'signature'],
      ['an r of zero', [HELLO, `0x${'00'.repeat(32)}${'11'.repeat(32)}1b`], 'signature'],
      ['an s of zero', [HELLO, `0x${'11'.repeat(32)}${'00'.repeat(32)}1b`], 'signature'],
      ['an r beyond the order of the curve', [HELLO, `0x${'ff'.repeat(32)}${'11'.repeat(32)}1b`], 'signature'],
    ])('refuses %s', async (_what, params, field) => {
      const { ask } = await start();
      expect((await ask('personal_ecRecover', params)).error).toMatchObject({
        code: -32602,
        data: { field: expect.stringContaining(field) },
      });
    });
  });

  it('compares a sign-in with the origin', async () => {
    const { dapp } = await connected();
    const signIn = (domain: string) =>
      stringToHex(
        `${domain} wants you to sign in with your Ethereum account:\n${ME}\n\n\nURI: https://${domain}/\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`,
      );
    for (const [domain, isDanger] of [
      ['dapp.example', false],
      ['other.example', true],
      ['dapp.example.attacker.example', true],
    ] as const) {
      const request = dapp('personal_sign', [signIn(domain), ME]);
      const screen = await request.getInterface();
      const text = flat(screen.content);
      expect(text.includes('It could use your signature to act as you there.')).toBe(isDanger);
      await screen.cancel();
      await request;
    }
  });

  it(`shows typed data of each of the ${PROTOCOLS.length} real protocols, and signs it when the user approves`, async () => {
    const { dapp } = await connected();
    expect(PROTOCOLS.length).toBeGreaterThanOrEqual(20);
    for (const protocol of PROTOCOLS) {
      const request = dapp('eth_signTypedData_v4', [ME, JSON.stringify(dataOf(protocol))]);
      const { content, ok } = await request.getInterface();
      const text = flat(content).toLowerCase();
      for (const part of protocol.says) expect(text).toContain(part.replace(': ', ' ').toLowerCase());
      expect(text).toContain(DAPP);
      await ok();
      expect((await request).response.error).toBeUndefined();
    }
  });

  it('fails for an account that is deleted or disconnected while the dialog is open', async () => {
    for (const undo of [
      async ({ call }: ForDapps, id: string) => call('keyring_deleteAccount', { id }),
      async ({ ask }: ForDapps) => ask('wallet_revokePermissions', [{ eth_accounts: {} }]),
    ]) {
      const keystead = await start();
      const { id } = await keystead.create({ privateKey: KEY });
      await keystead.connect();
      const request = keystead.dapp('personal_sign', [HELLO, ME]);
      const screen = await request.getInterface();
      await undo(keystead, id);
      await screen.ok();
      expect((await request).response).toMatchObject({ error: { code: 4100 } });
      expect(JSON.stringify((await request).response)).not.toContain('result');
    }
  });
});

describe('requests that arrive while a dialog is open', () => {
  it('wait in order, each with its own dialog', async () => {
    const { dapp } = await connected();
    const texts = ['first', 'second'];
    const requests = texts.map((text) => dapp('personal_sign', [stringToHex(text), ME]));
    const signatures = [];
    for (const [index, text] of texts.entries()) {
      const screen = await requests[index]!.getInterface();
      const shown = flat(screen.content);
      expect(texts.filter((other) => shown.includes(other))).toEqual([text]);
      await screen.ok();
      const { result } = (await requests[index]!).response;
      signatures.push(await recoverMessageAddress({ message: text, signature: result as `0x${string}` }));
    }
    expect(signatures).toEqual([ME, ME]);
  });

  it('wait one at a time, and further ones are refused', async () => {
    const { dapp } = await connected();
    const first = dapp('personal_sign', [stringToHex('message 0'), ME]);
    const screen = await first.getInterface();
    const others = Array.from({ length: 9 }, (_item, index) =>
      dapp('personal_sign', [stringToHex(`message ${index + 1}`), ME]),
    );
    const refused = (await Promise.all(others.slice(1))).map(({ response }) => response.error?.code);
    expect(refused).toEqual(Array<number>(8).fill(-32002));
    await screen.ok();
    const [waiting] = others;
    await (await waiting!.getInterface()).cancel();
    expect((await waiting!).response.error).toMatchObject({ code: 4001 });
  });

  it('are answered immediately if they need no dialog', async () => {
    const { ask, dapp } = await connected();
    const open = dapp('personal_sign', [HELLO, ME]);
    const screen = await open.getInterface();
    expect(await ask('eth_accounts')).toEqual({ result: [ME] });
    await screen.cancel();
    await open;
  });
});

describe('a locked wallet', () => {
  const locked = {
    answer: ({ method }: { method: string }) =>
      method === 'snap_getClientStatus' ? { locked: true, active: true } : undefined,
  };

  it('looks as if no site were connected, and shows no password prompt by itself', async () => {
    const read: string[] = [];
    const { ask } = await start({
      answer: (request) => {
        if (request.method.endsWith('State')) read.push(request.method);
        return locked.answer(request);
      },
    });
    expect(await ask('eth_accounts')).toEqual({ result: [] });
    expect(await ask('wallet_getPermissions')).toEqual({ result: [] });
    for (const [method, params] of [
      ['personal_sign', [HELLO, ME]],
      ['eth_chainId', []],
      ['eth_blockNumber', []],
      ['wallet_sendCalls', [{}]],
      ['keystead_setChain', {}],
    ] as const)
      expect((await ask(method, params as never)).error).toMatchObject({ code: 4100 });
    expect(read).toEqual([]);
  });

  it('gives 4100 if it stays locked when a site connects', async () => {
    const { ask } = await start({
      answer: (request) => {
        if (request.method === 'snap_getState') throw Object.assign(new Error('locked'), { code: 4001 });
        return locked.answer(request);
      },
    });
    expect((await ask('eth_requestAccounts')).error).toMatchObject({ code: 4100 });
  });
});

describe('invalid input of a dapp', () => {
  let page: ForDapps;
  beforeAll(async () => {
    page = await connected();
  });

  it.each<[string, Json, string]>([
    ['personal_sign', ['Hello', ME], 'message: must be bytes'],
    ['personal_sign', [ME], 'address: is missing'],
    ['personal_sign', {}, 'params: must be a list'],
    ['personal_sign', [HELLO, 'me'], 'address: must be an address'],
    ['eth_signTypedData_v4', [ME, '{'], 'typedData: must be an object, or its JSON text'],
    ['eth_signTypedData_v4', [ME, '5'], 'typedData: must be an object'],
    ['eth_signTypedData_v4', [ME, 'null'], 'typedData: must be an object'],
    ['eth_signTransaction', [null], 'transaction'],
    ['eth_sendTransaction', [], 'transaction: is missing'],
    ['eth_sendTransaction', [{ from: ME, to: 'x' }], 'transaction.to: must be an address'],
    ['eth_sendTransaction', [{ from: ME, to: ME, data: '0x1' }], 'transaction.data: must be bytes'],
    ['eth_sendTransaction', [{ from: ME, to: ME, value: '1' }], 'transaction.value: must be a hex quantity'],
    ['eth_sendTransaction', [{ from: ME, data: '0x12', input: '0x13' }], 'transaction.input: must equal data'],
    [
      'eth_sendTransaction',
      [{ from: ME, gasPrice: '0x1', maxFeePerGas: '0x1' }],
      'transaction.gasPrice: must be omitted',
    ],
    ['eth_sendTransaction', [{ from: ME, authorizationList: [] }], 'transaction.authorizationList: is not a known'],
    ['eth_sendTransaction', [{ from: ME, type: '0x3' }], 'transaction.type: must be 0x0'],
    ['wallet_switchEthereumChain', [{ chainId: '0x01' }], 'chain.chainId: must be a chain id'],
    ['wallet_switchEthereumChain', [{ chainId: 1 }], 'chain.chainId: must be a chain id'],
    ['wallet_requestPermissions', [{ eth_sign: {} }], 'permissions'],
    ['wallet_sendCalls', [], 'params[0]: is missing'],
    ['wallet_sendCalls', [{ calls: [] }], 'version: is missing'],
    ['wallet_getCallsStatus', [5], 'id: must be text'],
    ['wallet_getCapabilities', ['me'], 'params: must be an address'],
    [
      'keystead_setChain',
      { chainId: '0x1', rpcUrl: 'http://10.0.0.1', bundlerUrl: 'https://b.example' },
      'params.rpcUrl: must be an https URL',
    ],
  ])('%s %j is -32602, with the field and the rule', async (method, params, sentence) => {
    const { ask } = page;
    const { error } = await ask(method, params);
    expect(error).toMatchObject({ code: -32602 });
    expect(error!.message).toContain(sentence);
  });

  it('of a megabyte, or with ten thousand elements, is shown within limits', async () => {
    const { dapp } = page;
    const long = dapp('personal_sign', [stringToHex('a'.repeat(1_000_000)), ME]);
    const screen = await long.getInterface();
    expect(flat(screen.content)).toContain('too long to show in full');
    expect(JSON.stringify(screen.content).length).toBeLessThan(60_000);
    await screen.cancel();
    await long;
    const data = {
      types: { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], List: [{ name: 'numbers', type: 'uint256[]' }] },
      primaryType: 'List',
      domain: { chainId: 1 },
      message: { numbers: Array.from({ length: 10_000 }, (_item, index) => index) },
    };
    const many = dapp('eth_signTypedData_v4', [ME, data]);
    const list = await many.getInterface();
    expect(flat(list.content)).toContain('Signed but not shown here: 9901 more values.');
    expect(JSON.stringify(list.content).length).toBeLessThan(200_000);
    await list.cancel();
    await many;
  });

  it('with multicalls fifty levels deep is cut, and marked as cut', async () => {
    const { dapp } = page;
    let data = 'deadbeef';
    for (let depth = 0; depth < 50; depth++) {
      const bytes = data.length / 2;
      const padded = data.padEnd(Math.ceil(bytes / 32) * 64, '0');
      const word = (value: number) => value.toString(16).padStart(64, '0');
      data = `ac9650d8${word(32)}${word(1)}${word(32)}${word(bytes)}${padded}`;
    }
    const request = dapp('eth_signTransaction', [payment({ data: `0x${data}` })]);
    const screen = await request.getInterface();
    expect(flat(screen.content)).toContain('This contains more than Keystead can decode.');
    await screen.cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
  });
});
