import { KINDS } from '../../core/erc4337/kinds';
import { entryOf } from '../../core/decode/metadata/contract-metadata';
import { ownName } from '../../core/decode/words/text';
import { isSameAddress } from '../../core/eth/address';
import { isSmart, type AccountEntry } from './account';

/** The fields of an account that determine its name. */
type Named = {
  readonly address: string;
  readonly key: { readonly source: 'imported' } | { readonly source: 'derived'; readonly index: number };
  /** The name that the person gave it, used only if it is a string. */
  readonly label?: unknown;
  /** The kind may be unknown to this version. */
  readonly smart?:
    | { readonly kind: string; readonly factory: string; readonly salt: string; readonly isRecovered?: boolean }
    | undefined;
};

/** The entry point version that goes without saying. */
const USUAL_VERSION = '0.7';

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What tells a smart account from others of the same name and number: nothing for the usual one. */
function distinctions({ address, smart }: Named, index: number): string[] {
  if (smart === undefined) return [];
  const kind = entryOf(KINDS, smart.kind);
  const isUsual =
    smart.isRecovered !== true &&
    kind !== undefined &&
    BigInt(smart.salt) === BigInt(index) &&
    isSameAddress(smart.factory, kind.factory);
  const { entryPointVersion = USUAL_VERSION } = kind ?? {};
  return [
    ...(entryPointVersion === USUAL_VERSION ? [] : [entryPointVersion]),
    ...(isUsual ? [] : [address.slice(2, 6)]),
  ];
}

/**
 * @returns The name of an account that nobody named: "Keystead 1", "Smart account 2", "Safe 1 (29C7)" or "Imported
 * account 29C7", with the first digits of its address where a number does not tell it apart. It depends on the account
 * alone, so it never changes. The same name is suggested to the wallet.
 */
export function defaultName(named: Named): string {
  const { address, key, smart } = named;
  const kind = smart && (entryOf(KINDS, smart.kind)?.accountName ?? 'smart account');
  if (key.source === 'imported') return `Imported ${kind ?? 'account'} ${address.slice(2, 6)}`;
  const different = distinctions(named, key.index);
  return `${capitalised(kind ?? 'Keystead')} ${key.index + 1}${different.length === 0 ? '' : ` (${different.join(', ')})`}`;
}

/** Labels that look like a name of {@link defaultName}. */
const LIKE_A_DEFAULT = /^(?:keystead|(?:imported )?(?:smart )?account|(?:imported )?safe) *[0-9a-f(]/iu;

const comparable = (label: string): string => label.normalize('NFKC').trim().toLowerCase();

/**
 * @returns The displayed names of accounts, in order: the name that the person gave it, or the default one. A given
 * name that two accounts share, or that looks like a default name, is followed by the default name. Safe to display.
 */
export function displayedNames(accounts: readonly Named[]): string[] {
  const counts = new Map<string, number>();
  for (const { label } of accounts)
    if (typeof label === 'string') counts.set(comparable(label), (counts.get(comparable(label)) ?? 0) + 1);
  return accounts.map((named) => {
    const { label } = named;
    if (typeof label !== 'string') return defaultName(named);
    const key = comparable(label);
    const isClear = counts.get(key) === 1 && !LIKE_A_DEFAULT.test(key);
    return isClear ? ownName(label) : `${ownName(label)} (${defaultName(named)})`;
  });
}

/** @returns What determines the name of a stored account. */
export const namedParts = (stored: AccountEntry): Named => ({
  address: stored.account.address,
  key: stored.key,
  label: stored.account.options.label,
  smart: isSmart(stored) ? stored.smart : undefined,
});

/** @returns The displayed names of all accounts, by lower-case address. */
export function accountNames(entries: readonly AccountEntry[]): Readonly<Record<string, string>> {
  const names = displayedNames(entries.map(namedParts));
  return Object.fromEntries(entries.map(({ account }, at) => [account.address.toLowerCase(), names[at] ?? '']));
}
