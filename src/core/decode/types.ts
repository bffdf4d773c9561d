import { type Hex } from '../eth/bytes';
import { type DangerCode } from './dangers';
import { type Knowledge, type Wanted } from './knowledge';

/** One line of a confirmation: what it is, and its value. */
export type Line =
  | { readonly kind: 'text'; readonly label: string; readonly value: string }
  | { readonly kind: 'address'; readonly label: string; readonly value: Hex }
  /** Words of somebody else. They are never ours, and never stand in place of a line of ours. */
  | { readonly kind: 'quote'; readonly label: string; readonly value: string; readonly source: string };

/** A part of an explanation with its own heading: a call, and in it the calls it makes. */
export type Section = {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly sections: readonly Section[];
};

/** Something that has cost people their money. It makes every door ask. */
export type Danger = { readonly code: DangerCode; readonly text: string };

/** What a person is told before something is signed. It is made from the very object that is hashed. */
export type Explanation = {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly sections: readonly Section[];
  /** A longer text to be copied, shortened to what a screen carries: a message, or the raw data. */
  readonly body?: { readonly label: string; readonly text: string };
  /** Things that are allowed but deserve a second look. */
  readonly warnings: readonly string[];
  readonly dangers: readonly Danger[];
  /** There may be more to say, if something is looked up. Absent: nothing is left to look up. */
  readonly open?: OpenQuestions;
};

/** What an explanation would be better for, and how it is made again with what was found. */
export type OpenQuestions = {
  readonly wanted: readonly Wanted[];
  readonly again: (knowledge: Knowledge) => Explanation;
};

/** From where a request is seen: what is known besides the object that is signed. */
export type Viewpoint = {
  /** The account that signs. */
  readonly signer: Hex;
  /** Seconds since 1970. */
  readonly now: bigint;
  /** The dapp's origin, where it is known: never `metamask`. */
  readonly origin?: string;
  /** The chain the request is for, where it is known from outside the object. */
  readonly chainId?: bigint;
  /** What the account has, wei, where that is known: it pays for a transaction. */
  readonly balance?: bigint | undefined;
  /** What was looked up. */
  readonly knowledge?: Knowledge;
};
