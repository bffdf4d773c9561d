import { entryOf } from '../decode/metadata/contract-metadata';
import { ownName } from '../decode/words/text';
import { KINDS } from '../kinds';

/** The facts that determine the name of an account. */
export type Named = {
  readonly address: string;
  readonly key: { readonly source: 'imported' } | { readonly source: 'derived'; readonly index: number };
  /** The name that the person gave it, used only if it is a string. */
  readonly label?: unknown;
  /**
   * The kind of a smart account, which may be unknown to this version, and whether its address follows from the kind
   * and the index of its key alone.
   */
  readonly smart?: { readonly kind: string; readonly isUsual: boolean } | undefined;
};

/** The entry point version that goes without saying. */
const USUAL_VERSION = '0.7';

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** @returns The name that {@link defaultName} gives, before what tells it apart: "Safe 1" and `['43C7']`. */
function defaultParts({ address, key, smart }: Named): { name: string; distinctions: readonly string[] } {
  const ends = address.slice(2, 6);
  const kind = smart && entryOf(KINDS, smart.kind);
  const what = smart && (kind?.accountName ?? 'smart account');
  if (key.source === 'imported') return { name: `Imported ${what ?? 'account'} ${ends}`, distinctions: [] };
  const version = kind?.entryPointVersion ?? USUAL_VERSION;
  const distinctions = [
    ...(version === USUAL_VERSION ? [] : [version]),
    ...(smart === undefined || smart.isUsual ? [] : [ends]),
  ];
  return { name: `${capitalised(what ?? 'Keystead')} ${key.index + 1}`, distinctions };
}

const followedBy = (name: string, more: readonly string[]): string =>
  more.length === 0 ? name : `${name} (${more.join(', ')})`;

/**
 * @returns The name of an account that nobody named: "Keystead 1", "Smart account 2", "Safe 1 (29C7)" or "Imported
 * account 29C7", with the first digits of its address where a number does not tell it apart. It depends on the account
 * alone, so it never changes. The same name is suggested to the wallet.
 */
export function defaultName(named: Named): string {
  const { name, distinctions } = defaultParts(named);
  return followedBy(name, distinctions);
}

/** Labels that look like a name of {@link defaultName}. */
const LIKE_A_DEFAULT = /^(?:keystead|(?:imported )?(?:smart )?account|(?:imported )?safe) *[0-9a-f(]/iu;

/** @returns A name as people compare it: the same for names that are equal at a glance. */
export const comparableName = (label: string): string => label.normalize('NFKC').trim().toLowerCase();

/**
 * @returns The displayed names of accounts, in order: the name that the person gave it, or the default one. A given
 * name that two accounts share, or that looks like a default name, is followed by the default name. Safe to display.
 */
export function displayedNames(accounts: readonly Named[]): string[] {
  const counts = new Map<string, number>();
  for (const { label } of accounts)
    if (typeof label === 'string') counts.set(comparableName(label), (counts.get(comparableName(label)) ?? 0) + 1);
  return accounts.map((named) => {
    const { label } = named;
    if (typeof label !== 'string') return defaultName(named);
    const key = comparableName(label);
    const isClear = counts.get(key) === 1 && !LIKE_A_DEFAULT.test(key);
    const { name, distinctions } = defaultParts(named);
    return isClear ? ownName(label) : followedBy(ownName(label), [name, ...distinctions]);
  });
}
