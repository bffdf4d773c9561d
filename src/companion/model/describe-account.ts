import { type Account } from './types';

type Described = Pick<Account, 'type' | 'address' | 'options'>;

/** Whether the recovery phrase does not bring it back. */
export const isImported = ({ options }: Pick<Account, 'options'>): boolean =>
  (options.entropy as { type?: string } | undefined)?.type === 'private-key';

/** What kind of account it is, in words. */
function kindOf({ type, options }: Described): string {
  if (type !== 'eip155:erc4337') return 'account';
  return String(options.kind).startsWith('safe-') ? 'Safe' : 'smart account';
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What an account is called: its own name, if it has one, its kind, and which of that kind it is. */
export function describeAccount(account: Described): string {
  const { type, address, options } = account;
  const label = typeof options.label === 'string' ? `${options.label}: ` : '';
  // As the snap names it to the wallet: by index, or where there is none by the address.
  const which = typeof options.index === 'number' ? options.index + 1 : address.slice(2, 6);
  const name = capitalised(`${isImported(account) ? 'imported ' : ''}${kindOf(account)} ${which}`);
  return `${label}${name}${type === 'eip155:erc4337' ? `, entry point ${String(options.entryPointVersion)}` : ''}`;
}
