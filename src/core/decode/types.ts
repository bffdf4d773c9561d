import { type Hex } from '../eth/bytes';
import { type DangerCode } from './dangers';
import { type ContractMetadata, type Wanted } from './contract-metadata';

/**
 * One row of a confirmation.
 *
 * @example
 * ```ts
 * const to: Line = { kind: 'address', label: 'To', value: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' };
 * const notice: Line = { kind: 'quote', label: 'Notice', value: 'Mints an NFT.', source: 'the developer' };
 * ```
 */
export type Line =
  | { readonly kind: 'text'; readonly label: string; readonly value: string }
  | { readonly kind: 'address'; readonly label: string; readonly value: Hex }
  /** Text from a third party. It is shown as a quotation, and never replaces a line of ours. */
  | { readonly kind: 'quote'; readonly label: string; readonly value: string; readonly source: string };

/**
 * A part of an explanation with its own heading, such as a call; its sections are the calls that it makes.
 *
 * @example
 * ```ts
 * const section: Section = {
 *   title: 'Approve USDC', lines: [{ kind: 'text', label: 'Amount', value: '5.5 USDC' }], sections: [] };
 * ```
 */
export type Section = {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly sections: readonly Section[];
};

/**
 * A known way of losing assets. Any danger makes Keystead ask for confirmation, whatever the settings say.
 *
 * @example
 * ```ts
 * const danger: Danger = { code: 'everything', text: 'This moves the entire balance of a token.' };
 * ```
 */
export type Danger = { readonly code: DangerCode; readonly text: string };

/**
 * What a person sees before signing. It is made from the object that is hashed.
 *
 * @example
 * ```ts
 * import { explainAction } from './transaction';
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const to = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
 * const explanation: Explanation = explainAction({ to, value: 10n ** 18n, data: '0x', chainId: 1n }, view);
 * explanation.warnings; // => []
 * ```
 */
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

/**
 * What to look up, and how to make the explanation again with the results.
 *
 * @example
 * ```ts
 * import { NO_METADATA } from './contract-metadata';
 * const complete = ({ again }: OpenQuestions): Explanation => again({ ...NO_METADATA, tokens: null });
 * ```
 */
export type OpenQuestions = {
  readonly wanted: readonly Wanted[];
  readonly again: (contractMetadata: ContractMetadata) => Explanation;
};

/**
 * The context of a request: what is known besides the object that is signed.
 *
 * @example
 * ```ts
 * const view: Viewpoint = {
 *   signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   now: BigInt(Math.floor(Date.now() / 1000)),
 *   origin: 'https://app.uniswap.org',
 *   balance: 10n ** 18n };
 * ```
 */
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
