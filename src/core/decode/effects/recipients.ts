import { type Hex } from '../../eth/bytes';
import { type Findings } from './dangers';
import { shortAddress, spelled } from '../words/sentences';

/** Where a request sends something, or what it calls. */
export type Recipient = {
  readonly address: Hex;
  /** Whether the call to it carries data. A contract creation has no recipient. */
  readonly carriesData: boolean;
  /** What it receives, as screens write it: "1.5 ETH". Absent if it receives nothing. */
  readonly asset?: string;
  /** Whether it is the contract of the very token that it receives. */
  readonly isToken?: boolean;
};

/** What is known about recipients before signing. Addresses may be in any case. */
export type RecipientFacts = {
  /** Where the account has sent to before, on any network. */
  readonly used: readonly Hex[];
  /** The names of the person's own accounts, by address. */
  readonly own: Readonly<Record<Hex, string>>;
  /** Whether an address has code on the network of the request, by address; undefined or absent if that is not known. */
  readonly hasCode: Readonly<Record<Hex, boolean | undefined>>;
};

/** Nobody has the key of the zero address, or of addresses that spell "dead" or are all ones. */
const BURN = /^0x(?:0{40}|0{36}dead|dead0{36}|(?:dead){10}|dead000000000000000042069420694206942069|f{40})$/u;

/** Precompiled contracts: 0x01 to 0x11 (up to EIP-2537) and 0x0100 (EIP-7951). What they receive is stuck. */
const PRECOMPILE = /^0x0{37}(?:0(?:0[1-9a-f]|1[01])|100)$/u;

/** How many hex digits at each end wallets usually show, and people compare. */
const COMPARED = 4;

/** Lower-case addresses only. */
const looksLike = (a: string, b: string): boolean =>
  a !== b && a.slice(2, 2 + COMPARED) === b.slice(2, 2 + COMPARED) && a.slice(-COMPARED) === b.slice(-COMPARED);

/**
 * @returns Whether two different addresses have the same first four and last four hex digits. Someone may have generated
 * one to be taken for the other (address poisoning).
 */
export const imitates = (a: Hex, b: Hex): boolean => looksLike(a.toLowerCase(), b.toLowerCase());

/** @returns Whether nobody can get back what an address receives: a usual burn address, or a precompiled contract. */
export const isBurnAddress = (address: Hex): boolean => {
  const lowerCase = address.toLowerCase();
  return BURN.test(lowerCase) || PRECOMPILE.test(lowerCase);
};

/** @param asset - What is sent, as screens write it: "1.5 ETH". */
export const burned = (asset: string, address: Hex): string =>
  `This sends ${asset} to ${spelled(address)}, an address that nobody controls. Nobody can get it back.`;

/**
 * The notice about new recipients. It is no danger: everybody is new once.
 * @param more - How many others there are that are not named.
 */
export function firstTimeNotice(addresses: readonly Hex[], more = 0): string {
  const named = [...addresses.map(shortAddress), ...(more > 0 ? [`${more} more`] : [])];
  const [last, ...others] = named.reverse();
  const all = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
  return `First time you send to ${all}.`;
}

const imitation = (address: Hex, original: Hex, isOwn: boolean): string =>
  `${spelled(address)} imitates ${spelled(original)}, which ${isOwn ? 'is your own account' : 'you have sent to before'}.`;

const withoutCode = (address: Hex, asset: string | undefined): string => {
  const fate =
    asset === undefined ? '.' : `, and ${asset} will belong to whoever holds the key of that address, if anyone does.`;
  return `There is no contract at ${spelled(address)} on this network. The data does nothing${fate}`;
};

/** The same values under addresses in lower case. */
const byAddress = <T>(values: Readonly<Record<Hex, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries<T>(values).map(([address, value]) => [address.toLowerCase(), value]));

/**
 * Judges where a request sends something, and finds its dangers. An address that the account has sent to before, or an own one, never counts as
 * an imitation.
 *
 * @param recipients - In the order of the request. Several may have the same address.
 * @returns The recipients that are new to the account and not the person's own, each once, spelled as in the request.
 */
export function judgeRecipients(
  recipients: readonly Recipient[],
  { used, own, hasCode }: RecipientFacts,
  findings: Findings,
): Hex[] {
  const names = byAddress(own);
  const code = byAddress(hasCode);
  const before = new Set(used.map((address) => address.toLowerCase()));
  const firstTime = new Map<string, Hex>();
  for (const { address, carriesData, asset, isToken } of recipients) {
    const key = address.toLowerCase();
    const name = names.get(key);
    if (name === undefined && !before.has(key)) {
      if (!firstTime.has(key)) firstTime.set(key, address);
      const original = [...names.keys(), ...before].find((familiar) => looksLike(key, familiar));
      if (original !== undefined)
        findings.danger('address-poisoning', () => imitation(address, original as Hex, names.has(original)));
    }
    if (asset !== undefined && isBurnAddress(address)) findings.danger('burn-address', () => burned(asset, address));
    if (isToken === true)
      findings.danger(
        'sent-to-token-contract',
        () =>
          `This sends ${asset ?? 'tokens'} to ${spelled(address)}, the contract of the token itself. Most tokens cannot be recovered from there.`,
      );
    // An own smart account may be deployed by the very operation that calls it. Precompiled contracts have no code.
    if (carriesData && code.get(key) === false && name === undefined && !PRECOMPILE.test(key))
      findings.danger('call-without-code', () => withoutCode(address, asset));
  }
  return [...firstTime.values()];
}
