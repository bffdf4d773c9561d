import { getAddress, type Hex } from 'viem';

import { cancellationBy, readSignatures } from '../../../src/companion/model/signatures';
import { type SnapClient } from '../../../src/companion/model/snap-client';
import { type Account } from '../../../src/companion/model/types';
import { type Kept } from '../../../src/core/ledger/signed/kept';
import { contentHash, newMessage } from '../../../src/core/schemas/safe-message';
import { BOB, DEVNET, GOLD, SAFE, STANDARD } from '../../support/companion/samples';
import { typedData } from '../../support/explaining';
import { word } from '../../support/kept-signatures';
import { type LocalServer, reply, serveJsonRpc } from '../../support/json-rpc-server';

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const SINGLE =
  'PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';

describe('what an account signed as the owner of a Safe', () => {
  const data = typedData(
    SINGLE,
    { name: 'Permit2', chainId: 31_337, verifyingContract: PERMIT2 },
    { details: { token: BOB, amount: '7', expiration: '9', nonce: 3 }, spender: BOB, sigDeadline: '9000000000' },
  );
  const safe = SAFE.address as Hex;
  const { hash, content } = newMessage({ typedData: data }, safe, 31_337n);
  const kept: Kept = {
    ...{ account: STANDARD.address as Hex, origin: 'https://dapp.example', at: 1, title: 'Let BOB spend' },
    ...{ chainId: 'eip155:31337', forSafe: { address: safe, message: contentHash(content) }, hash },
    data: data as never,
  };

  let node: LocalServer;
  /** The nonce of the Safe in Permit2. That of the account has moved on. */
  let nonce = 3n;
  beforeAll(async () => {
    node = await serveJsonRpc(({ id, method, params: [call] }, response) => {
      const isOfSafe = JSON.stringify(call).includes(safe.slice(2).toLowerCase());
      const allowance = `${word(7n)}${word(9n).slice(2)}${word(isOfSafe ? nonce : 99n).slice(2)}`;
      const block = { number: '0x1', hash: word(1n), timestamp: '0x1' };
      const result = { eth_getBlockByNumber: block, eth_getCode: '0x', eth_call: allowance }[method];
      reply(response, { id, result });
    });
  });
  afterAll(() => node.stop());

  const noted: unknown[] = [];
  const client = {
    dapp: (method: string, params?: unknown) => {
      if (method === 'keystead_getSignatures') return Promise.resolve([kept]);
      noted.push([method, params]);
      return Promise.resolve(null);
    },
  } as unknown as SnapClient;
  const read = (account: Account) => readSignatures(account, { ...DEVNET, rpcUrl: node.url }, client);

  it.each([
    ['the account', STANDARD],
    ['the Safe', SAFE],
  ])('is listed under %s, and counts by what Permit2 says of the Safe', async (_of, account) => {
    nonce = 3n;
    expect((await read(account)).signatures).toEqual([{ kept, status: 'counts' }]);
    expect(noted.splice(0)).toEqual([]);
    nonce = 4n;
    const { signatures, node: title } = await read(account);
    expect(signatures).toEqual([{ kept, status: 'gone' }]);
    const note = { account: STANDARD.address, hash, goneAt: title };
    expect(noted.splice(0)).toEqual([['keystead_noteSignature', note]]);
  });

  it('is not listed under another account', async () => {
    expect((await read({ ...STANDARD, address: BOB })).signatures).toEqual([]);
  });

  it('can be cancelled by the Safe alone', () => {
    expect(cancellationBy(STANDARD, kept)).toEqual({
      kind: 'none',
      why: `It is for the Safe ${getAddress(safe)}, so only that account can cancel it.`,
    });
    expect(cancellationBy(SAFE, kept)).toMatchObject({ kind: 'calls', calls: [{ to: PERMIT2 }] });
  });

  it('asks nobody for a signature that would cancel a permit of the Safe: tokens take those of keys only', () => {
    const permit = typedData(
      'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
      { name: 'Token', chainId: 31_337, verifyingContract: GOLD },
      { owner: safe, spender: BOB, value: '5', nonce: '0', deadline: '9000000000' },
    );
    const forSafe = newMessage({ typedData: permit }, safe, 31_337n);
    const ofSafe: Kept = { ...kept, account: safe, hash: contentHash(forSafe.content), data: permit as never };
    const { forSafe: _for, ...own } = ofSafe;
    expect(cancellationBy(SAFE, own)).toEqual({
      kind: 'none',
      why: 'Keystead cannot cancel it, because the account is a contract. It may count until it ends.',
    });
  });
});
