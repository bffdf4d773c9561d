import { KINDS } from '../../core/erc4337/kinds';
import { entryOf } from '../../core/decode/knowledge';
import { isSmart, type AccountEntry } from './account';

/** What an account is named by. */
type Named = {
  readonly address: string;
  readonly key: { readonly source: 'imported' } | { readonly source: 'derived'; readonly index: number };
  /** Its label, if that is a text. */
  readonly label?: unknown;
  /** The kind may be one of another version. */
  readonly smart?: { readonly kind: string; readonly scopes: readonly string[] } | undefined;
};

/**
 * @returns What an account is called on a screen: its label if it has one; its index, as the wallet was offered to name
 * it, if it has one; the first digits of its address if it is smart, of which several may share an index, or imported;
 * and its kind. May hold text from outside.
 */
export function accountName({ address, key, label, smart }: Named): string {
  const digits = ` ${address.slice(2, 6)}`;
  const which =
    key.source === 'derived' ? `Account ${key.index + 1}${smart ? digits : ''}` : `Imported account${digits}`;
  const kind = smart && `, ${entryOf(KINDS, smart.kind)?.title ?? smart.kind} on ${smart.scopes.join(', ')}`;
  const name = which + (kind ?? '');
  return typeof label === 'string' ? `${label} (${name})` : name;
}

/** @returns The same of an account that is stored here. */
export const storedName = (stored: AccountEntry): string =>
  accountName({
    ...stored.account,
    key: stored.key,
    label: stored.account.options.label,
    smart: isSmart(stored) ? { ...stored.account, kind: stored.smart.kind } : undefined,
  });
