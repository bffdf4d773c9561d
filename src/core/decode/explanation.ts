import { type Hex } from '../eth/bytes';
import { type NetworkDetails } from '../networks/network';
import { type OwnFacts, type OwnQuestion } from '../safe/recovery/own-state';
import { type DangerCode } from './effects/dangers';
import { type ContractMetadata, type Lookup } from './metadata/contract-metadata';
import { type Outcome, type Simulation } from './effects/outcome';

/** One row of a confirmation. A quotation is text from a third party: it never replaces a line of ours. */
export type Line =
  | { readonly kind: 'text'; readonly label: string; readonly value: string }
  | { readonly kind: 'address'; readonly label: string; readonly value: Hex }
  | { readonly kind: 'quote'; readonly label: string; readonly value: string; readonly source: string };

/** A part of an explanation with its own heading, such as a call; its sections are the calls that it makes. */
export type Section = {
  readonly title: string;
  /** One sentence on what it does, for the title of a screen. */
  readonly summary?: string;
  readonly lines: readonly Line[];
  readonly sections: readonly Section[];
};

/** A known way of losing assets. Any danger makes Keystead ask for confirmation, whatever the settings say. */
export type Danger = { readonly code: DangerCode; readonly text: string };

/** The content of a screen that a person sees before signing. It is made from the object that is hashed. */
export type Explanation = {
  /** One sentence: what the request does. */
  readonly title: string;
  /** The assets that the account gives and gets, and the permissions that it gives. */
  readonly changes: readonly Line[];
  /** Further rows that are shown at once: recipients, spenders, and what a message says. */
  readonly main: readonly Line[];
  /** The network's name, where the request names a network. */
  readonly network?: string;
  /** The most that the network fee can be, and who pays it. */
  readonly fee?: string;
  /** Everything else, in rows. */
  readonly lines: readonly Line[];
  readonly sections: readonly Section[];
  /** A message or raw data to copy, truncated to what a screen shows. A message is shown at once. */
  readonly body?: { readonly label: string; readonly text: string; readonly isMessage?: boolean };
  /** Things that are unusual, but not dangers by themselves. */
  readonly warnings: readonly string[];
  readonly dangers: readonly Danger[];
  /** Keystead cannot read what it means, so Keystead asks, whatever the settings say. */
  readonly isUnread?: true;
  /**
   * Somebody can use the signature to take something or to act for the account, until then: in seconds since 1970.
   * Undefined inside if there is no end to rely on.
   */
  readonly usable?: { readonly until: bigint | undefined };
  /** The reason why it cannot succeed, if it cannot. Approving it takes a second confirmation. */
  readonly failure?: string;
  /** The look-ups that can make the explanation more complete; absent if there is nothing. */
  readonly unresolved?: OpenQuestions;
};

/**
 * Somebody that a request concerns: who is sent assets, which contract is sent data, who may spend something, or whom
 * an inner call names.
 */
export type Counterparty = { readonly address: Hex; readonly how: 'sent' | 'called' | 'allowed' | 'named' };

/** The known facts about recipients before signing. Addresses may be in any case. */
export type RecipientFacts = {
  /** The addresses to which the account has sent before, on any network. */
  readonly used: readonly Hex[];
  /** The names of the person's own accounts, by address. */
  readonly own: Readonly<Record<Hex, string>>;
  /** The names of the person's contacts, by lower-case address. */
  readonly contacts?: Readonly<Record<string, string>>;
  /**
   * Whether an address has code on the network of the request, by address; undefined or absent if that is not known.
   */
  readonly hasCode: Readonly<Record<Hex, boolean | undefined>>;
};

/** The open look-ups, and a function that makes the explanation again with the results. */
export type OpenQuestions = {
  readonly lookups: readonly Lookup[];
  /** The results of the look-ups so far. */
  readonly known: ContractMetadata;
  readonly simulation?: Simulation;
  /** What a node can say about changes of the account's owners, guardians and modules; absent if there are none. */
  readonly own?: OwnQuestion;
  /** The addresses that the request concerns, each once. */
  readonly counterparties: readonly Counterparty[];
  readonly explainWith: (found: Found) => Explanation;
};

/** The node that a preview comes from. */
export type PreviewedBy = {
  /** Its host, or "your wallet's node". */
  readonly name: string;
  /** The origin of the site that added it, until the person vouches for it. */
  readonly addedBy?: string;
};

/** The results of look-ups. What is absent was not looked up. */
export type Found = {
  readonly contractMetadata?: ContractMetadata;
  readonly outcome?: Outcome;
  readonly recipients?: RecipientFacts;
  readonly gasPrice?: bigint;
  /** The base fee of the network's next block, in wei per gas. */
  readonly baseFee?: bigint;
  /** What changes of the owners, guardians and modules of the account that signs are compared with. */
  readonly own?: OwnFacts;
  readonly node?: PreviewedBy;
  /** The networks that the person named, by chain id. */
  readonly networks?: Readonly<Record<string, NetworkDetails>>;
  /** The names of the person's own accounts, by lower-case address. */
  readonly names?: Readonly<Record<string, string>>;
  /** The chain ids of the networks that the person's smart accounts were made for, by lower-case address. */
  readonly smartOn?: Readonly<Record<string, readonly string[]>>;
};

/** The context of a request: what is known besides the object that is signed. */
export type Viewpoint = Found & {
  /** The account that signs. */
  readonly signer: Hex;
  /** Seconds since 1970. */
  readonly now: bigint;
  /** The site's origin, where known; never `metamask`. */
  readonly origin?: string;
  /** The person asked for it on the companion page, which manages the accounts. */
  readonly isOwnPage?: boolean;
  /** The address of the key that Keystead has for the account, where its contract can have other owners. */
  readonly ownKey?: Hex;
  /** Whether the account has its code; it has one owner while it has none. Undefined where that does not matter. */
  readonly isDeployed?: boolean;
  /** Contracts that Keystead itself calls by their meaning, such as a recovery module of the account. */
  readonly vouchedFor?: readonly Hex[];
  /** The chain that the request is for, where known from outside the object. */
  readonly chainId?: bigint;
  /** The account's balance in wei, where known. */
  readonly balance?: bigint | undefined;
  /** The price per gas that the network's node suggests, in wei, where known. */
  readonly gasPrice?: bigint | undefined;
};
