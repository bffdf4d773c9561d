import { type Account } from './types';

/** What kind of account it is, in words. */
export function describeAccount({ type, options }: Account): string {
  const number = typeof options.index === 'number' ? ` ${options.index + 1}` : '';
  const label = typeof options.label === 'string' ? `${options.label}: ` : '';
  if (type === 'eip155:erc4337')
    return `${label}Smart account${number}, entry point ${String(options.entryPointVersion)}`;
  return `${label}Account${number}`;
}

/** Whether the recovery phrase brings it back. */
export const isImported = ({ options }: Account): boolean =>
  (options.entropy as { type?: string } | undefined)?.type === 'private-key';
