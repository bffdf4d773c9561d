import { KINDS } from '../../core/erc4337/kinds';
import { entryOf } from '../../core/decode/contract-metadata';
import { ownName } from '../../core/decode/text';
import { isSmart, type AccountEntry } from './account';

/** The fields of an account that determine its displayed name. */
type Named = {
  readonly address: string;
  readonly key: { readonly source: 'imported' } | { readonly source: 'derived'; readonly index: number };
  /** The label, used only if it is a string. */
  readonly label?: unknown;
  /** The kind may be unknown to this version. */
  readonly smart?: { readonly kind: string; readonly scopes: readonly string[] } | undefined;
};

/**
 * @returns The name of an account on a screen: its label, if any; its number, if its key is derived; the first digits
 * of its address, if it is imported or a smart account (several of which may share an index); and its kind. May contain
 * untrusted text.
 */
export function accountName({ address, key, label, smart }: Named): string {
  const digits = ` ${address.slice(2, 6)}`;
  const which =
    key.source === 'derived' ? `Account ${key.index + 1}${smart ? digits : ''}` : `Imported account${digits}`;
  const kind = smart && `, ${entryOf(KINDS, smart.kind)?.title ?? smart.kind} on ${smart.scopes.join(', ')}`;
  const name = which + (kind ?? '');
  return typeof label === 'string' ? `${label} (${name})` : name;
}

/** @returns The displayed name of a stored account. */
export const storedName = (stored: AccountEntry): string =>
  accountName({
    ...stored.account,
    key: stored.key,
    label: stored.account.options.label,
    smart: isSmart(stored) ? { ...stored.account, kind: stored.smart.kind } : undefined,
  });

/** @returns The displayed names of accounts, by lower-case address. */
export const accountNames = (entries: readonly AccountEntry[]): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.map((entry) => [entry.account.address.toLowerCase(), ownName(storedName(entry))]));
