import { expect } from '@jest/globals';
import { recoverTypedSignature, recoverPersonalSignature, SignTypedDataVersion } from '@metamask/eth-sig-util';
import { type Json } from '@metamask/snaps-sdk';

import { type EoaMethod, METHODS } from '../../../src/snap/account/methods';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { type Answer, installKeystead } from '../../support/wallet/installed';
import { partOf, type Vector } from '../../support/vectors';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ME = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const OTHER = '0x3535353535353535353535353535353535353535';
const NO_ACCOUNT = '11111111-1111-4111-8111-111111111111';

const TX = {
  type: '0x2',
  nonce: '0x0',
  maxFeePerGas: '0x59682f00',
  maxPriorityFeePerGas: '0x59682f00',
  gasLimit: '0x5208',
  to: OTHER,
  value: '0x1',
  data: '0x',
  chainId: '0x1',
  accessList: [],
  from: ME,
};
const TYPED = {
  types: {
    EIP712Domain: [{ name: 'chainId', type: 'uint256' }],
    Test: [{ name: 'value', type: 'uint256' }],
  },
  primaryType: 'Test',
  domain: { chainId: 1 },
  message: { value: 1 },
};

const pick = <T>(items: readonly T[], count: number): T[] =>
  items.filter((_item, index) => index % Math.ceil(items.length / count) === 0);

/** A few vectors of every collection. `test/vectors` runs all of them against the pure code. */
const VECTORS: readonly Vector[] = [
  'tx-ethers-eip155',
  'tx-ethers-eip2930',
  'tx-ethers-eip1559',
  'typed-ethers',
  'typed-eip712-reference',
  'personal-sign',
].flatMap((name) => pick(partOf(name).vectors, 6));

/** Whether the snap must ask before signing, even if the settings do not require it. */
function mustAsk(method: string, params: readonly unknown[]): boolean {
  const { account, explain } = METHODS[method as EoaMethod].decode(params);
  const { dangers, isUnread } = explain({ signer: account!.address, now: 0n });
  return dangers.length > 0 || isUnread === true;
}

const startEmptied = useEmptiedSnap(installKeystead);

async function start() {
  const keystead = await startEmptied();
  /** Signs with an account, and approves if the snap asks: no rule reads the typed data of this file. */
  const sign = async (account: string, method: string, params: Json, scope?: string) => {
    const request = keystead.submit(account, method, params, scope);
    const answered = request.then(() => undefined);
    await (await Promise.race([answered, request.getInterface().catch(() => undefined)]))?.ok();
    return (await request).response as Answer<{ pending: false; result: Json }>;
  };
  return { ...keystead, sign };
}

describe('the built snap', () => {
  it(`signs ${VECTORS.length} recorded requests exactly`, async () => {
    const { create, call, submit } = await start();
    const accounts = new Map<string, string>();
    let asked = 0;
    for (const { id, privateKey, method, params, expected } of VECTORS) {
      let account = accounts.get(privateKey);
      if (account === undefined) {
        ({ id: account } = await create({ privateKey }));
        accounts.set(privateKey, account);
      }
      const request = submit(account, method, params as Json);
      if (mustAsk(method, params)) {
        asked++;
        await (await request.getInterface()).ok();
      }
      const { result } = (await request).response;
      expect({ id, result }).toEqual({ id, result: { pending: false, result: expected } });
    }
    expect(asked).toBeGreaterThan(0);
    expect((await call<Json[]>('keyring_listAccounts')).result).toHaveLength(accounts.size);
  });

  it('signs with derived accounts, as eth-sig-util recovers', async () => {
    const { create, sign } = await start();
    const { id, address } = await create();
    const message = await sign(id, 'personal_sign', ['0x48656c6c6f', address]);
    expect(
      recoverPersonalSignature({ data: '0x48656c6c6f', signature: message.result?.result as string }).toLowerCase(),
    ).toBe(address.toLowerCase());
    const typed = await sign(id, 'eth_signTypedData_v4', [address, TYPED], 'eip155:1');
    expect(
      recoverTypedSignature({
        data: TYPED as never,
        signature: typed.result?.result as string,
        version: SignTypedDataVersion.V4,
      }).toLowerCase(),
    ).toBe(address.toLowerCase());
  });

  it('signs the same twice: deterministic (RFC 6979), with low s', async () => {
    const { create, sign } = await start();
    const { id } = await create({ privateKey: KEY });
    const [first, second] = [await sign(id, 'eth_signTransaction', [TX]), await sign(id, 'eth_signTransaction', [TX])];
    expect(first).toEqual(second);
    const { r, s, v } = first.result!.result as { r: string; s: string; v: string };
    expect(r).toMatch(/^0x[0-9a-f]{64}$/u);
    expect(s).toMatch(/^0x[0-7][0-9a-f]{63}$/u);
    expect(v).toMatch(/^0x[01]$/u);
  });

  it.each<[string, string, Json, string]>([
    ['an empty scope', 'eth_signTransaction', [TX], ''],
    ['the scope of all EVM chains', 'eth_signTransaction', [TX], 'eip155:0'],
    ['the chain of the transaction', 'eth_signTransaction', [TX], 'eip155:1'],
    ['the chain of the typed data', 'eth_signTypedData_v4', [ME, TYPED], 'eip155:1'],
    ['the chain as a dapp wrote it', 'eth_signTypedData_v4', [ME, TYPED], 'eip155:0x1'],
    ['a message on any chain', 'personal_sign', ['0x00', ME], 'eip155:137'],
  ])('accepts %s', async (_what, method, params, scope) => {
    const { create, sign } = await start();
    const { id } = await create({ privateKey: KEY });
    expect((await sign(id, method, params, scope)).result?.pending).toBe(false);
  });

  it.each<[string, string, Json, string, string]>([
    ['a foreign address in personal_sign', 'personal_sign', ['0x00', OTHER], '', 'address'],
    ['a foreign address in eth_signTypedData_v4', 'eth_signTypedData_v4', [OTHER, TYPED], '', 'address'],
    ['a foreign sender', 'eth_signTransaction', [{ ...TX, from: OTHER }], 'eip155:1', 'transaction.from'],
    ['a transaction for another chain than the scope', 'eth_signTransaction', [TX], 'eip155:5', 'transaction.chainId'],
    [
      'typed data for another chain than the scope',
      'eth_signTypedData_v4',
      [ME, TYPED],
      'eip155:5',
      'typedData.domain.chainId',
    ],
    ['a scope that is no EVM chain', 'personal_sign', ['0x00', ME], 'solana:mainnet', 'scope'],
    ['a scope that is no chain', 'eth_signTypedData_v4', [ME, TYPED], 'eip155:null', 'scope'],
    ['a message that is not hex', 'personal_sign', ['hello', ME], '', 'message'],
    ['fees of the wrong type', 'eth_signTransaction', [{ ...TX, type: '0x0' }], 'eip155:1', 'transaction.gasPrice'],
  ])('refuses %s, naming the field', async (_what, method, params, scope, field) => {
    const { create, sign } = await start();
    const { id } = await create({ privateKey: KEY });
    const { error, result } = await sign(id, method, params, scope);
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code: -32602, data: { code: 'invalid-params', field } });
    expect(error?.message.startsWith(`${field}: must`) || error?.message.startsWith(`${field}: is `)).toBe(true);
  });

  it('signs only with the account of the request', async () => {
    const { create, sign } = await start();
    const first = await create();
    const second = await create();
    const { error } = await sign(first.id, 'personal_sign', ['0x00', second.address]);
    expect(error).toMatchObject({ data: { field: 'address' } });
    expect((await sign(NO_ACCOUNT, 'personal_sign', ['0x00', first.address])).error).toMatchObject({ code: -32001 });
  });

  it.each([
    'eth_sign',
    'eth_signTypedData_v1',
    'eth_signTypedData_v3',
    'eth_sendTransaction',
    'toString',
    '__proto__',
    '',
  ])('does not have the method "%s"', async (method) => {
    const { create, sign } = await start();
    const { id } = await create({ privateKey: KEY });
    expect((await sign(id, method, [ME, '0x00'])).error).toMatchObject({
      code: -32601,
      data: { code: 'method-not-supported' },
    });
  });

  it('accepts the originMetadata that newer wallets send', async () => {
    const { create, call } = await start();
    const { id } = await create({ privateKey: KEY });
    const { result } = await call('keyring_submitRequest', {
      id: NO_ACCOUNT,
      scope: '',
      account: id,
      origin: 'https://dapp.example',
      originMetadata: { transport: 'sdk', selfReportedOrigin: 'https://dapp.example' },
      request: { method: 'personal_sign', params: ['0x00', ME] },
    });
    expect(result).toMatchObject({ pending: false });
  });

  it('handles many concurrent requests, each for its own account', async () => {
    const { create, sign } = await start();
    const accounts = [await create(), await create(), await create()];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_item, index) => {
        const { id, address } = accounts[index % 3]!;
        return sign(id, 'personal_sign', [`0x${index.toString(16).padStart(4, '0')}`, address]);
      }),
    );
    answers.forEach(({ result }, index) => {
      const data = `0x${index.toString(16).padStart(4, '0')}`;
      expect(recoverPersonalSignature({ data, signature: result?.result as string }).toLowerCase()).toBe(
        accounts[index % 3]!.address.toLowerCase(),
      );
    });
  });
});
