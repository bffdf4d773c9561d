import {
  authorizationDigest,
  authorizationParameter,
  signedAuthorization,
} from '../../../../src/core/eth/authorization';
import { fromHex } from '../../../../src/core/eth/bytes';
import { signDigest } from '../../../../src/core/eth/secp256k1';
import {
  AuthorizationListStruct,
  faultInAuthorizations,
  SignedAuthorizationStruct,
  toAuthorizations,
} from '../../../../src/core/schemas/authorization';
import { parse } from '../../../../src/core/structs/struct';
import { KEY } from '../../../support/hostile/people';

const place = { chainId: 10n, address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' } as const;
const signed = (nonce: bigint) => {
  const one = { ...place, nonce };
  return signedAuthorization(one, signDigest(authorizationDigest(one), fromHex(KEY)));
};
const json = (nonce: bigint) => authorizationParameter(signed(nonce));

describe('a list of authorizations (EIP-7702)', () => {
  it('has one to ten', () => {
    const list = (count: number) => Array.from({ length: count }, (_, at) => json(BigInt(at)));
    expect([0, 1, 10, 11].map((count) => AuthorizationListStruct.is(list(count)))).toEqual([false, true, true, false]);
    expect(() => parse(AuthorizationListStruct, [], 'list')).toThrow('list: must contain 1 to 10 authorizations');
  });

  it('keeps their numbers, of either parity', () => {
    const all = Array.from({ length: 10 }, (_, at) => signed(BigInt(at)));
    expect(new Set(all.map(({ yParity }) => yParity))).toEqual(new Set([0, 1]));
    expect(toAuthorizations(parse(AuthorizationListStruct, all.map(authorizationParameter), 'list'))).toEqual(all);
  });

  it('has a parity of 0 or 1, and a nonce that can be used', () => {
    const is = (fields: object) => SignedAuthorizationStruct.is({ ...json(1n), ...fields });
    expect(['0x0', '0x1', '0x00', '0x01', '0x2', '0x', '0'].map((yParity) => is({ yParity }))).toEqual([
      ...[true, true, true, true, false, false, false],
    ]);
    expect([(1n << 64n) - 2n, (1n << 64n) - 1n].map((nonce) => is({ nonce: `0x${nonce.toString(16)}` }))).toEqual([
      ...[true, false],
    ]);
  });

  it('is of the chain of its transaction, and each is signed by somebody', () => {
    expect(faultInAuthorizations([signed(1n), signed(2n)], 10n)).toBeUndefined();
    expect(faultInAuthorizations([signed(1n), signed(2n)], 1n)).toMatchObject({ path: [0, 'chainId'] });
    expect(faultInAuthorizations([signed(1n), { ...signed(2n), chainId: 0n }], 10n)).toMatchObject({
      path: [1, 'chainId'],
    });
    expect(faultInAuthorizations([signed(1n), { ...signed(2n), s: 0n }], 10n)).toMatchObject({ path: [1, 's'] });
  });
});
