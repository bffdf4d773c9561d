import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';

import { concat, decodeAbiParameters, type Hex, hexToBytes, keccak256, numberToHex } from 'viem';

import { type Assertion, type PasskeyPoint, pointOfSpki } from '../../src/core/safe/passkey/webauthn';

/** The origin of a page that makes passkeys. */
export const PASSKEY_ORIGIN = 'http://localhost:8000';

/** The order of P-256. A signature (r, s) has a second form: (r, order - s). */
export const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The flags of an authenticator that saw its user and verified who that is. */
const VERIFIED = 0x05;

/** The members of client data behind the challenge, up to the end. */
export const clientFields = (origin = PASSKEY_ORIGIN, end = ',"crossOrigin":false}'): string =>
  `"origin":"${origin}"${end}`;

const clientData = (type: string, challenge: Uint8Array, rest: string): string =>
  `{"type":"${type}","challenge":"${Buffer.from(challenge).toString('base64url')}",${rest}`;

type Asked = {
  /** What the client data has behind the challenge. */
  readonly rest?: string;
  /** 0x01: the user was present; 0x04: verified. */
  readonly flags?: number;
  readonly type?: string;
};

/** A passkey, and the authenticator that keeps it. */
export type TestPasskey = {
  readonly publicKey: KeyObject;
  /** SubjectPublicKeyInfo, as `getPublicKey()` returns it. */
  readonly spki: Uint8Array;
  readonly point: PasskeyPoint;
  readonly assert: (challenge: Uint8Array, asked?: Asked) => Assertion;
  /** Signs other client data than a browser writes. */
  readonly assertText: (clientDataJSON: string) => Assertion;
};

/** @returns A new passkey. */
export function makePasskey(): TestPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }));
  const signed = (text: string, flags: number): Assertion => {
    const authenticatorData = new Uint8Array(37);
    authenticatorData[32] = flags;
    const clientDataJSON = new TextEncoder().encode(text);
    const digest = createHash('sha256').update(clientDataJSON).digest();
    const signature = new Uint8Array(sign('sha256', Buffer.concat([authenticatorData, digest]), privateKey));
    return { authenticatorData, clientDataJSON, signature };
  };
  return {
    publicKey,
    spki,
    point: pointOfSpki(spki),
    assert: (challenge, { rest = clientFields(), flags = VERIFIED, type = 'webauthn.get' } = {}) =>
      signed(clientData(type, challenge, rest), flags),
    assertText: (text) => signed(text, VERIFIED),
  };
}

/** What the contract of a passkey's signer answers (SafeWebAuthnSignerSingleton), by node:crypto. */
export function signerAccepts({ publicKey }: TestPasskey, data: Hex, signature: Hex): boolean {
  const [authenticatorData, fields, r, s] = decodeAbiParameters(
    [{ type: 'bytes' }, { type: 'string' }, { type: 'uint256' }, { type: 'uint256' }],
    signature,
  );
  const clientDataJSON = `${clientData('webauthn.get', hexToBytes(keccak256(data)), fields)}}`;
  const digest = createHash('sha256').update(clientDataJSON).digest();
  const raw = hexToBytes(concat([numberToHex(r, { size: 32 }), numberToHex(s, { size: 32 })]));
  return verify(
    'sha256',
    Buffer.concat([hexToBytes(authenticatorData), digest]),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    raw,
  );
}
