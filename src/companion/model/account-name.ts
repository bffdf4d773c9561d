import { type Account } from './types';

type AccountParts = Pick<Account, 'type' | 'address' | 'options'>;

/** Whether the account was imported: the recovery phrase does not restore it. */
export const isImported = ({ options }: Pick<Account, 'options'>): boolean =>
  (options.entropy as { type?: string } | undefined)?.type === 'private-key';

export const isSmart = ({ type }: Pick<Account, 'type'>): boolean => type === 'eip155:erc4337';

/** Whether the account is a Safe, which can have several owners. */
export const isSafe = ({ options }: Pick<Account, 'options'>): boolean => String(options.kind).startsWith('safe-');

/** @returns The Safes that follow from the recovery phrase. Their keys can become the owners of recovered Safes. */
export const safesOfPhrase = (accounts: readonly Account[]): readonly Account[] =>
  accounts.filter((account) => isSafe(account) && !isImported(account) && account.options.isRecovered !== true);

/** @returns The type of account, in words. */
function typeOf({ type, options }: AccountParts): string {
  if (!isSmart({ type })) return isImported({ options }) ? 'account' : 'Keystead';
  return isSafe({ options }) ? 'Safe' : 'smart account';
}

/** The entry point version that goes without saying. */
const USUAL_VERSION = '0.7';

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * @returns The one name of an account, everywhere on the page and on the screens of the snap: its label, or else its
 * type and number.
 */
export function accountName(account: AccountParts): string {
  const { address, options } = account;
  if (typeof options.label === 'string') return options.label;
  // The same number as in the wallet: the index counted from 1, or the first digits of the address if it has none.
  const which = typeof options.index === 'number' ? options.index + 1 : address.slice(2, 6);
  const version = String(options.entryPointVersion ?? USUAL_VERSION);
  const isUsual = isImported(account) || version === USUAL_VERSION;
  // A recovered Safe shares its number with the Safe that its key makes itself.
  const tells = options.isRecovered === true && !isImported(account) ? ` (${address.slice(2, 6)})` : '';
  return capitalised(
    `${isImported(account) ? 'imported ' : ''}${typeOf(account)} ${which}${isUsual ? tells : ` (${version})`}`,
  );
}

/** @returns What kind of account it is, for a line below its name. */
export function accountKind(account: AccountParts): string {
  const kind = isSmart(account)
    ? `${capitalised(typeOf(account))}, entry point ${String(account.options.entryPointVersion)}`
    : 'Standard account';
  return isImported(account) ? `${kind}, imported` : kind;
}

/** @returns The first and last digits of an address or a hash, as the snap's screens have them. */
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
