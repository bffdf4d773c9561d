import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';

import { isSamePoint, recoverKeys } from '../../../../src/core/safe/passkey/recover-keys';
import { type Assertion, type PasskeyPoint, rsOfDer } from '../../../../src/core/safe/passkey/webauthn';
import { makePasskey, P256_ORDER } from '../../../support/passkey';

const CHALLENGE = new Uint8Array(32).fill(7);

/** A number as an INTEGER of DER. */
function integer(value: bigint): Buffer {
  const digits = value.toString(16);
  const bytes = Buffer.from(`00${digits.padStart(digits.length + (digits.length % 2), '0')}`, 'hex');
  const minimal = (bytes[1] ?? 0) >= 0x80 ? bytes : bytes.subarray(1);
  return Buffer.concat([Buffer.from([2, minimal.length]), minimal]);
}

/** Whether an assertion verifies with a key, by node:crypto. */
function verifies({ x, y }: PasskeyPoint, { authenticatorData, clientDataJSON, signature }: Assertion): boolean {
  const [xBytes, yBytes] = [x, y].map((one) =>
    Buffer.from(one.toString(16).padStart(64, '0'), 'hex').toString('base64url'),
  );
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: xBytes!, y: yBytes! } });
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
  return verify('sha256', signed, key, signature);
}

describe('the keys that can have made an assertion', () => {
  const key = makePasskey();

  it('do not include a key that did not sign, nor that of a signature of something else', () => {
    const assertion = key.assert(CHALLENGE);
    expect(recoverKeys(assertion)).not.toContainEqual(makePasskey().point);
    const { signature } = key.assert(new Uint8Array(32));
    expect(recoverKeys({ ...assertion, signature })).not.toContainEqual(key.point);
    const authenticatorData = Uint8Array.from(assertion.authenticatorData).fill(0x1d, 32, 33);
    expect(recoverKeys({ ...assertion, authenticatorData })).not.toContainEqual(key.point);
  });

  it('are refused of a key of another kind', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const signature = new Uint8Array(sign(null, CHALLENGE, privateKey));
    expect(() => recoverKeys({ ...key.assert(CHALLENGE), signature })).toThrow('passkey.signature');
  });

  it('do not agree between two signatures of secp256k1, which look the same', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const [first = [], second = []] = [1, 2].map((byte) => {
      const { authenticatorData, clientDataJSON } = key.assert(new Uint8Array(32).fill(byte));
      const signature = new Uint8Array(sign('sha256', clientDataJSON, privateKey));
      return recoverKeys({ authenticatorData, clientDataJSON, signature });
    });
    expect(first.filter((one) => second.some((other) => isSamePoint(one, other)))).toEqual([]);
  });

  it('are two that verify, and one of them is that of the passkey, with s low or high', () => {
    for (let round = 0; round < 8; round++) {
      const assertion = key.assert(randomBytes(32));
      const { r, s } = rsOfDer(assertion.signature);
      const body = Buffer.concat([integer(r), integer(P256_ORDER - s)]);
      const other = new Uint8Array(Buffer.concat([Buffer.from([0x30, body.length]), body]));
      for (const signature of [assertion.signature, other]) {
        const keys = recoverKeys({ ...assertion, signature });
        expect(keys).toHaveLength(2);
        expect(keys).toContainEqual(key.point);
        for (const point of keys) expect(verifies(point, { ...assertion, signature })).toBe(true);
      }
    }
  });
});

test('two points are the same if both of their coordinates are', () => {
  expect(isSamePoint({ x: 1n, y: 2n }, { x: 1n, y: 2n })).toBe(true);
  for (const other of [
    { x: 1n, y: 3n },
    { x: 2n, y: 2n },
    { x: 2n, y: 1n },
  ])
    expect(isSamePoint({ x: 1n, y: 2n }, other)).toBe(false);
});
