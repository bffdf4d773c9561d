import { type Address } from 'viem';

import { type PasskeySigner } from '../../core/erc4337/safe/passkey/signer';
import { passkeySignature, type PasskeyPoint, pointOfSpki } from '../../core/erc4337/safe/passkey/webauthn';
import { base64UrlOfBytes, bytesOfBase64Url } from '../../core/eth/base64';
import { fromHex, type Hex } from '../../core/eth/bytes';
import { PASSKEYS_KEY } from './passkeys-key';
import { listOf, stored } from './stored';
import { type Chain } from './types';

/**
 * A passkey that owns a Safe, with everything that its signer's address depends on. It holds no secret: the private key
 * never leaves the authenticator.
 */
export type Passkey = {
  /** The credential's id in base64url. */
  readonly credentialId: string;
  /** The account, and what the page calls it. */
  readonly safe: Address;
  readonly name: string;
  /** Its network, so that the page works with it without a wallet. */
  readonly chain: Chain;
  readonly signer: Hex;
  readonly factory: Hex;
  readonly x: Hex;
  readonly y: Hex;
  readonly verifiers: Hex;
  /** The network accepted a signature of it. */
  readonly hasSigned?: true;
};

const HEX_MEMBERS = ['safe', 'signer', 'factory', 'x', 'y', 'verifiers'] as const;

function isPasskey(entry: unknown): entry is Passkey {
  const passkey = (entry ?? {}) as Partial<Record<keyof Passkey, unknown>>;
  const { chainId, rpcUrl } = (passkey.chain ?? {}) as Partial<Record<keyof Chain, unknown>>;
  return (
    typeof passkey.credentialId === 'string' &&
    typeof passkey.name === 'string' &&
    typeof rpcUrl === 'string' &&
    /^eip155:\d+$/u.test(String(chainId)) &&
    HEX_MEMBERS.every((member) => /^0x[0-9a-f]+$/iu.test(String(passkey[member])))
  );
}

export const signerOf = ({
  factory,
  x,
  y,
  verifiers,
}: Pick<Passkey, 'factory' | 'x' | 'y' | 'verifiers'>): PasskeySigner => ({
  factory,
  point: { x: BigInt(x), y: BigInt(y) },
  verifiers,
});

/** The passkeys that were made on this page, in this browser. */
export const passkeys = stored(PASSKEYS_KEY, listOf(isPasskey), []);

const withPasskey = (passkey: Passkey): readonly Passkey[] => [
  ...passkeys.read().filter(({ signer, safe }) => signer !== passkey.signer || safe !== passkey.safe),
  passkey,
];

/** @throws If the browser has no room for it. */
export function keepPasskey(passkey: Passkey): void {
  passkeys.write(withPasskey(passkey));
}

/** The longest id of a credential has 1,023 bytes (WebAuthn, 4). */
const LONGEST_ID = 'A'.repeat(1364);
const WORD: Hex = `0x${'f'.repeat(64)}`;

/**
 * Tries whether the browser has room for one more passkey, before an authenticator makes it: afterwards it would be
 * lost. Nothing is kept.
 *
 * @param of - What the passkey is for.
 * @throws If the browser has no room.
 */
export function assertRoomForPasskey(of: Pick<Passkey, 'safe' | 'name' | 'chain'>): void {
  const before = passkeys.read();
  const longest = { credentialId: LONGEST_ID, signer: WORD, factory: WORD, x: WORD, y: WORD, verifiers: WORD };
  passkeys.write(withPasskey({ ...of, ...longest, hasSigned: true }));
  passkeys.write(before);
}

/** A new credential of this page's domain, before it owns anything. */
export type Credential = { readonly credentialId: string; readonly point: PasskeyPoint };

const random = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length));

const inTopLevelPage = (): void => {
  if (window.top !== window.self)
    throw new Error('Open this page in a tab of its own: passkeys do not work in frames.');
};

/**
 * Has the browser make a passkey that verifies its user each time.
 *
 * @param name - What the browser's dialogs call it.
 * @throws If the person cancels, or the authenticator cannot verify its user or sign with P-256.
 */
export async function createCredential(name: string): Promise<Credential> {
  inTopLevelPage();
  const credential = (await navigator.credentials.create({
    publicKey: {
      rp: { name: 'Keystead' },
      user: { id: random(32), name, displayName: name },
      challenge: random(32),
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    },
  })) as PublicKeyCredential | null;
  const spki = (credential?.response as AuthenticatorAttestationResponse | undefined)?.getPublicKey();
  if (credential === null || spki === null || spki === undefined)
    throw new Error('The browser made no passkey that can sign for an account (ES256).');
  // The browser refuses what is not a point of the curve.
  await crypto.subtle.importKey('spki', spki, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify']);
  return { credentialId: base64UrlOfBytes(new Uint8Array(credential.rawId)), point: pointOfSpki(new Uint8Array(spki)) };
}

/**
 * Has a passkey sign a hash. The browser verifies its user first.
 *
 * @param hash - 32 bytes.
 * @returns The signature as the passkey's signer contract reads it.
 * @throws If the person cancels, or what the authenticator returns is not a signature of this hash.
 */
export async function signWithPasskey({ credentialId }: Pick<Passkey, 'credentialId'>, hash: Hex): Promise<Hex> {
  inTopLevelPage();
  const challenge = Uint8Array.from(fromHex(hash));
  const credential = (await navigator.credentials.get({
    publicKey: {
      challenge,
      allowCredentials: [{ type: 'public-key', id: bytesOfBase64Url(credentialId) }],
      userVerification: 'required',
    },
  })) as PublicKeyCredential | null;
  if (credential === null) throw new Error('The browser returned no signature.');
  const { authenticatorData, clientDataJSON, signature } = credential.response as AuthenticatorAssertionResponse;
  return passkeySignature(
    {
      authenticatorData: new Uint8Array(authenticatorData),
      clientDataJSON: new Uint8Array(clientDataJSON),
      signature: new Uint8Array(signature),
    },
    challenge,
    location.origin,
  );
}
