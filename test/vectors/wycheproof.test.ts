import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fromHex, type Hex, toHex } from '../../src/core/eth/bytes';
import { recoverPublicKeyOf, signDigest } from '../../src/core/eth/secp256k1';

/**
 * ECDSA over secp256k1 with a low s from Wycheproof 0.9rc5 (`ecdsa_secp256k1_sha256_bitcoin_test`): those of its 463
 * cases whose signature is well-formed DER with two numbers of at most 32 bytes. The others concern DER, which this
 * code does not use.
 */
type Case = {
  readonly tcId: number;
  readonly flag: string;
  readonly publicKey: Hex;
  readonly digest: Hex;
  readonly r: Hex;
  readonly s: Hex;
  readonly valid: boolean;
};

/** The order of the curve, and of its field (SEC 2, 2.4.1). */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const P = 2n ** 256n - 2n ** 32n - 977n;

const cases = JSON.parse(readFileSync(join(__dirname, 'data/ecdsa-wycheproof.json'), 'utf8')) as Case[];

/** The keys recovered with the two recovery bits; an error gives no key. */
const recoveredKeys = ({ digest, r, s }: Case): Hex[] =>
  ([0, 1] as const).flatMap((yParity) => {
    try {
      return [toHex(recoverPublicKeyOf(fromHex(digest), { r: fromHex(r), s: fromHex(s), yParity }))];
    } catch {
      return [];
    }
  });

describe('recovering the signer, with the Wycheproof cases', () => {
  it('has both kinds of cases', () => {
    expect(cases.filter(({ valid }) => valid).length).toBeGreaterThan(50);
    expect(cases.filter(({ valid }) => !valid).length).toBeGreaterThan(50);
  });

  it('finds the key of every valid signature whose r has a recovery bit of 0 or 1', () => {
    const valid = cases.filter((each) => each.valid);
    const missed = valid.filter((each) => !recoveredKeys(each).includes(each.publicKey));
    expect(valid.length - missed.length).toBeGreaterThan(150);
    // The missed cases have an r reduced modulo n, the one case in 2^127 that signing rejects.
    for (const { tcId, r } of missed) expect({ tcId, reduced: BigInt(r) < P - N }).toEqual({ tcId, reduced: true });
  });

  it('finds that key for no invalid signature, except with a high s, which signing never produces', () => {
    const taken = cases.filter((each) => !each.valid && recoveredKeys(each).includes(each.publicKey));
    for (const { tcId, s } of taken) expect({ tcId, high: BigInt(s) > N / 2n }).toEqual({ tcId, high: true });
  });
});

describe('signing', () => {
  it('gives a low s for every digest of the cases', () => {
    for (const { digest, tcId } of cases) {
      const { s } = signDigest(fromHex(digest), fromHex(`0x${'46'.repeat(32)}`));
      expect({ tcId, low: BigInt(toHex(s)) <= N / 2n }).toEqual({ tcId, low: true });
    }
  });
});
