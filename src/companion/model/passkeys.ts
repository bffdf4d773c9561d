import { type Address } from 'viem';

import { type PasskeySigner } from '../../core/safe/passkey/signer';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { PASSKEYS_KEY } from './passkeys-key';
import { linkTo } from './route';
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
  /** What the person calls the passkey; absent from those that were made before passkeys had names. */
  readonly title?: string;
  /** When it was made, in seconds since 1970. */
  readonly made?: number;
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
  const { title, made } = passkey;
  const { chainId, rpcUrl } = (passkey.chain ?? {}) as Partial<Record<keyof Chain, unknown>>;
  return (
    typeof passkey.credentialId === 'string' &&
    typeof passkey.name === 'string' &&
    (title === undefined || typeof title === 'string') &&
    (made === undefined || Number.isSafeInteger(made)) &&
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

/** The passkeys of this page's domain that this browser knows. */
export const passkeys = stored(PASSKEYS_KEY, listOf(isPasskey), []);

type Identity = Pick<Passkey, 'signer' | 'safe'>;

/** @returns Whether an entry is about the same passkey of the same account. */
export const isSamePasskey =
  (one: Identity) =>
  (other: Identity): boolean =>
    isSameAddress(one.signer, other.signer) && isSameAddress(one.safe, other.safe);

/** Each network has owners of its own, and a node that says so. */
const withPasskey = (passkey: Passkey): readonly Passkey[] => [
  ...passkeys.read().filter((known) => !isSamePasskey(passkey)(known) || known.chain.chainId !== passkey.chain.chainId),
  passkey,
];

/** @throws If the passkeys of an account could not be told apart with this name. */
export function assertNewTitle(title: string, safe: Address): void {
  if (title === '' || passkeys.read().some((one) => one.title === title && isSameAddress(one.safe, safe)))
    throw new Error('Name of the passkey: must be one that no other passkey of the account has');
}

/** @returns The link to an account of a passkey on its network. @param section - The part of the page. */
export const passkeyLink = ({ signer, safe, chain }: Identity & Pick<Passkey, 'chain'>, section = 'send'): string =>
  linkTo('passkey', signer, safe, section, chain.chainId);

/** @returns The passkey that a link is to; without a network in it, the first with that signer and account. */
export const passkeyAt = (
  [signer = '', safe = '', , chainId]: readonly string[],
  known: readonly Passkey[],
): Passkey | undefined =>
  known.find(
    (one) =>
      isSameAddress(one.signer, signer) &&
      isSameAddress(one.safe, safe) &&
      (chainId ?? one.chain.chainId) === one.chain.chainId,
  );

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
export function assertRoomForPasskey(of: Pick<Passkey, 'safe' | 'name' | 'chain' | 'title' | 'made'>): void {
  const before = passkeys.read();
  const longest = { credentialId: LONGEST_ID, signer: WORD, factory: WORD, x: WORD, y: WORD, verifiers: WORD };
  passkeys.write(withPasskey({ ...of, ...longest, hasSigned: true }));
  passkeys.write(before);
}
