import { type Hex } from '../../eth/bytes';
import { type Situation } from './situation';

/** A passkey, by its signer and what the page calls it. */
export type KnownPasskey = {
  readonly signer: Hex;
  readonly title: string;
  /** When it was last seen to work, in seconds since 1970 and in words; undefined if never. */
  readonly seen: { readonly at: number; readonly day: string } | undefined;
};

/** A Safe that a check-up looks at. */
export type ExaminedSafe = {
  readonly kind: 'safe';
  readonly isImported: boolean;
  readonly network: string;
  /** The address of the account's key. */
  readonly owner: Hex;
  /** The addresses that follow from the phrase that the account is lost with. */
  readonly ofPhrase: readonly Hex[];
  /** The passkeys that this browser knows. */
  readonly passkeys: readonly KnownPasskey[];
  /** Undefined if the network was not asked or did not answer. */
  readonly situation: Situation | undefined;
  /** When a guardian last practised, in seconds since 1970; undefined if never. */
  readonly practised: (guardian: Hex) => number | undefined;
  /** In seconds since 1970. */
  readonly now: bigint;
  /** Writes a time, which is in seconds since 1970. */
  readonly timeOf: (seconds: bigint) => string;
  /** What the account lacks for the network fee of cancelling a recovery, in words; undefined if nothing. */
  readonly lacks: string | undefined;
};

/** What a check-up looks at. */
export type Examined =
  | ExaminedSafe
  | { readonly kind: 'eoa'; readonly isImported: boolean; readonly isDelegated: boolean }
  | { readonly kind: 'simple'; readonly isImported: boolean };

/** What a person can do next about an account. */
export type NextStep = 'keep-phrase' | 'back-up' | 'move-to-safe' | 'set-guardians' | 'review-modules' | 'none';

/** How an account could be lost today, in words, and the next step. */
export type Finding = { readonly loss: string; readonly advice: string; readonly next: NextStep };

/** Keys that were not seen for longer may be lost. In seconds. */
const YEAR = 365n * 86_400n;

/** @returns Whether a key should be tried again. @param seen - In seconds since 1970; undefined if never. */
export const isDue = (seen: number | undefined, now: bigint): boolean => BigInt(seen ?? 0) < now - YEAR;
