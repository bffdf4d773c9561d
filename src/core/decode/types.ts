import { type Hex } from '../eth/bytes';
import { type DangerCode } from './dangers';
import { type ContractMetadata, type Wanted } from './contract-metadata';

/** One row of a confirmation. */
export type Line =
  | { readonly kind: 'text'; readonly label: string; readonly value: string }
  | { readonly kind: 'address'; readonly label: string; readonly value: Hex }
  /** Text from a third party. It is shown as a quotation, and never replaces a line of ours. */
  | { readonly kind: 'quote'; readonly label: string; readonly value: string; readonly source: string };

/** A part of an explanation with its own heading, such as a call; its sections are the calls that it makes. */
export type Section = {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly sections: readonly Section[];
};

/** A known way of losing assets. Any danger makes Keystead ask for confirmation, whatever the settings say. */
export type Danger = { readonly code: DangerCode; readonly text: string };

/** What a person sees before signing. It is made from the object that is hashed. */
export type Explanation = {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly sections: readonly Section[];
  /** A message or raw data to copy, truncated to what a screen shows. */
  readonly body?: { readonly label: string; readonly text: string };
  /** Things that are unusual, but not dangers by themselves. */
  readonly warnings: readonly string[];
  readonly dangers: readonly Danger[];
  /** Lookups that could make the explanation more complete; absent if there are none. */
  readonly open?: OpenQuestions;
};

/** What to look up, and how to make the explanation again with the results. */
export type OpenQuestions = {
  readonly wanted: readonly Wanted[];
  readonly again: (contractMetadata: ContractMetadata) => Explanation;
};

/** The context of a request: what is known besides the object that is signed. */
export type Viewpoint = {
  /** The account that signs. */
  readonly signer: Hex;
  /** Seconds since 1970. */
  readonly now: bigint;
  /** The site's origin, where known; never `metamask`. */
  readonly origin?: string;
  /** The chain that the request is for, where known from outside the object. */
  readonly chainId?: bigint;
  /** The account's balance in wei, where known. */
  readonly balance?: bigint | undefined;
  /** The results of lookups. */
  readonly contractMetadata?: ContractMetadata;
};
