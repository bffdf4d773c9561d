import { isSamePoint, recoverKeys } from '../../core/safe/passkey/recover-keys';
import { homeOf, type PasskeyHome } from '../../core/safe/passkey/user-id';
import {
  type Assertion,
  passkeySignature,
  type PasskeyPoint,
  pointOfSpki,
  WrongOrderError,
} from '../../core/safe/passkey/webauthn';
import { InvalidParamsError } from '../../core/errors';
import { base64UrlOfBytes, bytesOfBase64Url } from '../../core/eth/base64';
import { fromHex, type Hex } from '../../core/eth/bytes';
import { keepDrill, passkeyDrill } from './drills';
import { type Passkey } from './passkeys';

/** A new credential of this page's domain, before it owns anything. */
export type Credential = { readonly credentialId: string; readonly point: PasskeyPoint };

/** A passkey that has signed, of which the page knows nothing else yet. */
export type ShownPasskey = {
  readonly credentialId: string;
  /** What it says that it was made for. Whoever made it chose that. */
  readonly home: PasskeyHome | undefined;
  /** The public keys that can have made the signature. */
  readonly points: readonly PasskeyPoint[];
  /** The signature as the signer contract reads it. */
  readonly signature: Hex;
};

/** ECDSA with SHA-256, which COSE defines for P-256 here. */
const ES256 = -7;

const randomBytes = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length));

/**
 * Asks the browser for a credential.
 *
 * @throws If it gives none; says in words why, where browsers quote a specification.
 */
async function fromBrowser(request: () => Promise<unknown>): Promise<PublicKeyCredential> {
  if (window.top !== window.self)
    throw new Error('Open this page in a tab of its own: passkeys do not work in frames.');
  const credential = await request().catch((error: unknown) => {
    const { name } = error as { readonly name?: unknown };
    if (name === 'NotAllowedError')
      throw new Error(
        'The browser used no passkey: its dialog was closed, took too long or did not recognize you, or there is no passkey for this page. Nothing was signed.',
      );
    if (name === 'SecurityError')
      throw new Error(
        `The browser allows no passkeys on ${location.host}. They need a page with a domain name and https, or localhost.`,
      );
    throw error;
  });
  if (credential === null) throw new Error('The browser returned no passkey.');
  return credential as PublicKeyCredential;
}

type Signed = { readonly credentialId: string; readonly assertion: Assertion; readonly userId: Uint8Array };

/** Has the browser sign a challenge with one of its passkeys, or with any of this page's that the person chooses. */
async function ask(challenge: Uint8Array<ArrayBuffer>, allowed?: string): Promise<Signed> {
  const allowCredentials =
    allowed === undefined ? [] : [{ type: 'public-key' as const, id: bytesOfBase64Url(allowed) }];
  const credential = await fromBrowser(() =>
    navigator.credentials.get({ publicKey: { challenge, allowCredentials, userVerification: 'required' } }),
  );
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    credentialId: base64UrlOfBytes(new Uint8Array(credential.rawId)),
    assertion: {
      authenticatorData: new Uint8Array(response.authenticatorData),
      clientDataJSON: new Uint8Array(response.clientDataJSON),
      signature: new Uint8Array(response.signature),
    },
    userId: new Uint8Array(response.userHandle ?? []),
  };
}

/** Has a new passkey sign random bytes, as its signer contract needs it. @returns The keys that can have signed. */
async function trySigning(credentialId: string): Promise<readonly PasskeyPoint[]> {
  const challenge = randomBytes(32);
  const { assertion } = await ask(challenge, credentialId);
  passkeySignature(assertion, challenge, location.origin);
  return recoverKeys(assertion);
}

const useless = (reason: string): string =>
  `The device or password manager made a passkey that can never sign for an account: ${reason}. Nothing was added to the account. Delete the passkey there, and choose another device or manager.`;
const WRONG_KEY = useless('its key is of another kind than the network can verify (P-256)');
const WRONG_ORDER = useless('it writes what it signs in another order than Safe’s contract reads');
const UNVERIFIED = useless('it does not check who you are, by fingerprint, face or PIN');

/** What is wrong with a new passkey, by the part of its answer that breaks a rule. */
const USELESS: Readonly<Record<string, string>> = {
  'passkey.publicKey': WRONG_KEY,
  'passkey.signature': WRONG_KEY,
  'passkey.authenticatorData': UNVERIFIED,
};

/** The key of a new passkey, from its registration. @returns undefined if the authenticator does not tell it. */
function registeredKey(response: Partial<AuthenticatorAttestationResponse>): PasskeyPoint | undefined {
  // Some password managers lack these functions.
  if ((response.getPublicKeyAlgorithm?.() ?? ES256) !== ES256) throw new Error(WRONG_KEY);
  const spki = response.getPublicKey?.();
  return spki === undefined || spki === null ? undefined : pointOfSpki(new Uint8Array(spki));
}

/**
 * The key of a new passkey, once it has signed as its signer contract needs it. If its registration does not tell the
 * key, a second signature does.
 */
async function provenKey(
  credentialId: string,
  response: Partial<AuthenticatorAttestationResponse>,
): Promise<PasskeyPoint | undefined> {
  const registered = registeredKey(response);
  const keys = await trySigning(credentialId);
  const told = registered === undefined ? await trySigning(credentialId) : [registered];
  return told.find((point) => keys.some((key) => isSamePoint(key, point)));
}

/** @returns The error in words, if it says that the passkey is of no use. */
function asUseless(error: unknown): unknown {
  if (error instanceof WrongOrderError) return new Error(WRONG_ORDER);
  const words = error instanceof InvalidParamsError ? USELESS[error.field] : undefined;
  return words === undefined ? error : new Error(words);
}

/**
 * Has the browser make a passkey that verifies its user each time, and sign with it once.
 *
 * @param name - What the browser's dialogs call it.
 * @param userId - See {@link userIdOf}.
 * @throws If the person cancels, or no contract could verify the passkey's signatures.
 */
export async function createCredential(name: string, userId: Uint8Array<ArrayBuffer>): Promise<Credential> {
  const { rawId, response } = await fromBrowser(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: 'Keystead' },
        user: { id: userId, name, displayName: name },
        challenge: randomBytes(32),
        pubKeyCredParams: [{ type: 'public-key', alg: ES256 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
      },
    }),
  );
  const credentialId = base64UrlOfBytes(new Uint8Array(rawId));
  const point = await provenKey(credentialId, response as AuthenticatorAttestationResponse).catch((error: unknown) => {
    throw asUseless(error);
  });
  if (point === undefined) throw new Error(WRONG_KEY);
  return { credentialId, point };
}

/**
 * Has a passkey sign a hash. The browser verifies its user first. The signature is verified here, so that this is a
 * drill of the passkey, too.
 *
 * @param hash - 32 bytes.
 * @returns The signature as the passkey's signer contract reads it.
 * @throws If the person cancels, or what the authenticator returns is not a signature of this hash by this passkey.
 */
export async function signWithPasskey(
  { credentialId, signer, x, y }: Pick<Passkey, 'credentialId' | 'signer' | 'x' | 'y'>,
  hash: Hex,
): Promise<Hex> {
  const challenge = Uint8Array.from(fromHex(hash));
  const { assertion } = await ask(challenge, credentialId);
  const signature = passkeySignature(assertion, challenge, location.origin);
  const point = { x: BigInt(x), y: BigInt(y) };
  if (!recoverKeys(assertion).some((key) => isSamePoint(key, point)))
    throw new Error(
      'The signature is not of the passkey that owns the account: the device or password manager signed with another key. It counts for nothing.',
    );
  keepDrill(passkeyDrill(signer));
  return signature;
}

/**
 * Has the person choose a passkey of this page's domain, which signs a hash.
 *
 * @throws If the person cancels, or what the authenticator returns is not a signature of this hash.
 */
export async function askForPasskey(hash: Hex): Promise<ShownPasskey> {
  const challenge = Uint8Array.from(fromHex(hash));
  const { credentialId, assertion, userId } = await ask(challenge);
  return {
    credentialId,
    home: homeOf(userId),
    points: recoverKeys(assertion),
    signature: passkeySignature(assertion, challenge, location.origin),
  };
}
