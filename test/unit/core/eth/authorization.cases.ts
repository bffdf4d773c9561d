import {
  authorityOf,
  authorizationDigest,
  delegateIn,
  delegationCode,
  signedAuthorization,
} from '../../../../src/core/eth/authorization';
import { fromHex } from '../../../../src/core/eth/bytes';
import { signDigest } from '../../../../src/core/eth/secp256k1';
import { KEY, ME } from '../../../support/hostile/people';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const one = { chainId: 1n, address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', nonce: 7n } as const;
const signed = signedAuthorization(one, signDigest(authorizationDigest(one), fromHex(KEY)));

describe('the account of an authorization', () => {
  it('is the one that signed it', () => {
    expect(authorityOf(signed)).toBe(ME);
  });

  it.each([
    ['r', 0n],
    ['r', ORDER],
    ['r', 1n << 256n],
    ['s', 0n],
    ['s', ORDER / 2n + 1n],
    ['s', 1n << 256n],
  ] as const)('is nobody if %s is %d, however long the number is', (name, value) => {
    expect(authorityOf({ ...signed, [name]: value })).toBeUndefined();
  });
});

test('the account of an authorization with the highest s that counts is somebody', () => {
  expect(authorityOf({ ...signed, s: ORDER / 2n })).toMatch(/^0x[0-9a-fA-F]{40}$/u);
  expect(authorityOf({ ...signed, s: 1n })).toMatch(/^0x[0-9a-fA-F]{40}$/u);
});

describe('the delegate in the code of an account', () => {
  it('is the address after the mark of EIP-7702', () => {
    expect(delegateIn(delegationCode(one.address))).toBe(one.address);
    expect(delegateIn(delegationCode(one.address).toUpperCase().replace('0X', '0x') as '0x')).toBe(one.address);
  });

  it.each([
    ['no code', '0x'],
    ['other code of the same length', `0xef0101${'ab'.repeat(20)}`],
    ['more after the address', `0xef0100${'ab'.repeat(21)}`],
    ['less than an address', `0xef0100${'ab'.repeat(19)}`],
  ] as const)('is none in %s', (_what, code) => {
    expect(delegateIn(code)).toBeUndefined();
  });
});
