import { displayedNames, type Named } from '../../core/accounts/account-name';
import { entryOf } from '../../core/decode/metadata/contract-metadata';
import { KINDS } from '../../core/kinds';
import { isSameAddress } from '../../core/eth/address';
import { type AccountEntry, isSmart } from './account';

/** An account as it is stored or backed up. */
type Parts = Pick<Named, 'address' | 'key' | 'label'> & {
  readonly smart?:
    | { readonly kind: string; readonly factory: string; readonly salt: string; readonly isRecovered?: boolean }
    | undefined;
};

/** @returns What determines the name of an account. */
export function namedBy({ address, key, label, smart }: Parts): Named {
  if (smart === undefined) return { address, key, label };
  const { kind, factory, salt, isRecovered } = smart;
  const known = entryOf(KINDS, kind);
  const isUsual =
    isRecovered !== true &&
    known !== undefined &&
    key.source === 'derived' &&
    BigInt(salt) === BigInt(key.index) &&
    isSameAddress(factory, known.factory);
  return { address, key, label, smart: { kind, isUsual } };
}

/** @returns What determines the name of a stored account. */
export const namedParts = (entry: AccountEntry): Named =>
  namedBy({
    address: entry.account.address,
    key: entry.key,
    label: entry.account.options.label,
    smart: isSmart(entry) ? entry.smart : undefined,
  });

/** @returns The displayed names of all accounts, by lower-case address. */
export function accountNames(entries: readonly AccountEntry[]): Readonly<Record<string, string>> {
  const names = displayedNames(entries.map(namedParts));
  return Object.fromEntries(entries.map(({ account }, at) => [account.address.toLowerCase(), names[at] ?? '']));
}
