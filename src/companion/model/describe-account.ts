import { type Account } from './types';

type AccountParts = Pick<Account, 'type' | 'address' | 'options'>;

/** Whether the account was imported: the recovery phrase does not restore it. */
export const isImported = ({ options }: Pick<Account, 'options'>): boolean =>
  (options.entropy as { type?: string } | undefined)?.type === 'private-key';

/** @returns The type of account, in words. */
function kindOf({ type, options }: AccountParts): string {
  if (type !== 'eip155:erc4337') return 'account';
  return String(options.kind).startsWith('safe-') ? 'Safe' : 'smart account';
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * @returns The name of an account: its label if it has one, its type, and its number within that type.
 * @example
 * describeAccount(account); // "Savings: Smart account 2, entry point 0.7"
 */
export function describeAccount(account: AccountParts): string {
  const { type, address, options } = account;
  const label = typeof options.label === 'string' ? `${options.label}: ` : '';
  // The same number as in the wallet: the index counted from 1, or the first digits of the address if it has none.
  const which = typeof options.index === 'number' ? options.index + 1 : address.slice(2, 6);
  const name = capitalised(`${isImported(account) ? 'imported ' : ''}${kindOf(account)} ${which}`);
  return `${label}${name}${type === 'eip155:erc4337' ? `, entry point ${String(options.entryPointVersion)}` : ''}`;
}
