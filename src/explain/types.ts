import { type Hex } from '../eth/bytes';

/** One line of a confirmation: what it is, and its value. */
export type Line =
  | { readonly kind: 'text'; readonly label: string; readonly value: string }
  | { readonly kind: 'address'; readonly label: string; readonly value: Hex };

/** What a person is told before something is signed. It is made from the very object that is hashed. */
export type Explanation = {
  readonly title: string;
  readonly lines: readonly Line[];
  /** A longer text, shown in full and to be copied: a message, or the raw data. */
  readonly body?: { readonly label: string; readonly text: string };
  /** Things that are allowed but deserve a second look. */
  readonly warnings: readonly string[];
};
