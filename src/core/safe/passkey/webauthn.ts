import { bytesToHex } from '@noble/hashes/utils.js';
import { encodeAbiParameters } from 'viem/utils';

import { InvalidParamsError } from '../../errors';
import { base64UrlOfBytes } from '../../eth/base64';
import { type Hex, toHex } from '../../eth/bytes';

/** A public key of P-256: the coordinates of a point. */
export type PasskeyPoint = { readonly x: bigint; readonly y: bigint };

/** The response of an authenticator to a request for a signature (WebAuthn, `AuthenticatorAssertionResponse`). */
export type Assertion = {
  readonly authenticatorData: Uint8Array;
  readonly clientDataJSON: Uint8Array;
  /** DER. */
  readonly signature: Uint8Array;
};

/** A SubjectPublicKeyInfo of P-256 before the coordinates (RFC 5480): an uncompressed point follows. */
const SPKI_HEAD = '3059301306072a8648ce3d020106082a8648ce3d03010703420004';

/** The order of P-256 (SEC 2, 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Authenticator data: hash of the RP ID (32 bytes), flags, counter (4 bytes). */
const FLAGS_AT = 32;
const LEAST_AUTHENTICATOR_DATA = 37;
const USER_VERIFIED = 0x04;

/**
 * @param spki - What `getPublicKey()` of a new credential returns.
 * @throws {InvalidParamsError} If it is not an uncompressed key of P-256.
 */
export function pointOfSpki(spki: Uint8Array): PasskeyPoint {
  const digits = bytesToHex(spki);
  if (digits.length !== 182 || !digits.startsWith(SPKI_HEAD))
    throw new InvalidParamsError('passkey.publicKey', 'must be an uncompressed key of P-256 (ES256)');
  return { x: BigInt(`0x${digits.slice(54, 118)}`), y: BigInt(`0x${digits.slice(118)}`) };
}

const malformed = (): InvalidParamsError =>
  new InvalidParamsError('passkey.signature', 'must be two positive integers below the order of P-256, in DER');

/** One INTEGER of a DER sequence. @returns The number, and where the next one begins. */
function integerAt(der: Uint8Array, at: number): readonly [bigint, number] {
  const [tag, length = 0] = der.subarray(at, at + 2);
  const bytes = der.subarray(at + 2, at + 2 + length);
  const [first = 0x80, second = 0] = bytes;
  const isPadded = first === 0 && second < 0x80;
  if (tag !== 0x02 || length === 0 || length > 33 || bytes.length !== length || first >= 0x80 || isPadded)
    throw malformed();
  const value = BigInt(toHex(bytes));
  if (value === 0n || value >= ORDER) throw malformed();
  return [value, at + 2 + length];
}

/** @throws {InvalidParamsError} If the signature is not strict DER, or a number is out of range. */
export function rsOfDer(der: Uint8Array): { readonly r: bigint; readonly s: bigint } {
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 72) throw malformed();
  const [r, next] = integerAt(der, 2);
  const [s, end] = integerAt(der, next);
  if (end !== der.length) throw malformed();
  return { r, s };
}

type ClientData = { readonly type?: unknown; readonly challenge?: unknown; readonly origin?: unknown };

/** @returns What client data says; nothing if it is not a JSON object. */
function clientDataOf(text: string): ClientData {
  try {
    return (JSON.parse(text) as ClientData | null) ?? {};
  } catch {
    return {};
  }
}

/** A signature that the signer's contract can never verify, because it composes the client data itself. */
export class WrongOrderError extends InvalidParamsError {
  constructor() {
    super('passkey.clientDataJSON', 'must begin with type and challenge, as Safe’s contract reads it');
  }
}

/**
 * Cuts out of the client data what the signer's contract cannot know: everything behind the challenge. The text is
 * never built, because browsers add members that nobody expects.
 *
 * @throws {InvalidParamsError} If the client data is for another challenge, or of another origin.
 */
function fieldsOf(clientDataJSON: Uint8Array, challenge: Uint8Array, origin: string): Uint8Array {
  const text = new TextDecoder().decode(clientDataJSON);
  const expected = { type: 'webauthn.get', challenge: base64UrlOfBytes(challenge) };
  const said = clientDataOf(text);
  if (said.type !== expected.type || said.challenge !== expected.challenge)
    throw new InvalidParamsError('passkey.clientDataJSON', 'must be for the hash of this operation');
  if (said.origin !== origin)
    throw new InvalidParamsError('passkey.clientDataJSON', 'must be of the origin of this page');
  const head = `${JSON.stringify(expected).slice(0, -1)},`;
  if (!text.startsWith(head) || !text.endsWith('}')) throw new WrongOrderError();
  // The head is ASCII, so characters are bytes.
  return clientDataJSON.subarray(head.length, clientDataJSON.length - 1);
}

/**
 * The signature of a passkey as its signer contract reads it (SafeWebAuthnSignerSingleton): authenticator data, the
 * client data behind the challenge, r and s.
 *
 * @param challenge - The 32 bytes that were to be signed.
 * @param origin - The origin of the page that asked.
 * @throws {InvalidParamsError} If the contract would not accept the assertion, or it is for something else.
 */
export function passkeySignature(assertion: Assertion, challenge: Uint8Array, origin: string): Hex {
  const { authenticatorData, clientDataJSON, signature } = assertion;
  if (authenticatorData.length < LEAST_AUTHENTICATOR_DATA)
    throw new InvalidParamsError('passkey.authenticatorData', `must have at least ${LEAST_AUTHENTICATOR_DATA} bytes`);
  if (((authenticatorData[FLAGS_AT] ?? 0) & USER_VERIFIED) === 0)
    throw new InvalidParamsError('passkey.authenticatorData', 'must say that the user was verified');
  const { r, s } = rsOfDer(signature);
  return encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'bytes' }, { type: 'uint256' }, { type: 'uint256' }],
    [toHex(authenticatorData), toHex(fieldsOf(clientDataJSON, challenge, origin)), r, s],
  );
}
