import { hexToBytes } from 'viem';

import { homeOf, RANDOM_BYTES, userIdOf } from '../../../../src/core/safe/passkey/user-id';

const SAFE = '0xf578f007e06990205564b175db6301e42298a5d4';
const HOME = { chainId: 31_337n, safe: SAFE, made: 1_764_288_000 } as const;
const RANDOM = new Uint8Array(RANDOM_BYTES).fill(7);

describe('the user ID of a passkey', () => {
  it.each([
    ['empty', new Uint8Array()],
    ['the random bytes of older passkeys', new Uint8Array(32).fill(1)],
    ['one byte too short', userIdOf(HOME, RANDOM).slice(1)],
    ['one byte too long', new Uint8Array([...userIdOf(HOME, RANDOM), 0])],
    ['of network 0', userIdOf(HOME, RANDOM).fill(0, 0, 8)],
  ])('names no account if it is %s', (_what, id) => {
    expect(homeOf(id)).toBeUndefined();
  });

  it.each([0n, -1n, 2n ** 64n])('is not made for the network %d, whose number has no room', (chainId) => {
    expect(() => userIdOf({ ...HOME, chainId }, RANDOM)).toThrow('chainId: must be from 1 to 2^64 - 1');
  });

  it.each([1n, 31_337n, 2n ** 64n - 1n])('names the network %d, the Safe and the time', (chainId) => {
    const home = { ...HOME, chainId };
    expect(homeOf(userIdOf(home, RANDOM))).toEqual(home);
  });

  it('is network, Safe, time and random bytes, and fits into the 64 bytes of WebAuthn', () => {
    const id = userIdOf(HOME, RANDOM);
    expect(id).toEqual(hexToBytes(`0x0000000000007a69${SAFE.slice(2)}6928e600${'07'.repeat(16)}`));
    expect(id.length).toBeLessThanOrEqual(64);
  });

  it('differs between two passkeys of one account that are made at once', () => {
    expect(userIdOf(HOME, RANDOM)).not.toEqual(userIdOf(HOME, new Uint8Array(RANDOM_BYTES)));
  });
});
