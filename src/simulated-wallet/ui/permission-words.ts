import { type Json } from '@metamask/snaps-sdk';

const WORDS: Readonly<Record<string, string>> = {
  'endowment:rpc': 'answer requests from sites',
  'endowment:page-home': 'show its own page',
  'endowment:transaction-insight': 'show insights about transactions',
  'endowment:signature-insight': 'show insights about messages to sign',
  'endowment:ethereum-provider': 'read from the wallet’s network',
  'endowment:network-access': 'access the internet',
  'endowment:cronjob': 'run in the background, while the page is open',
  'endowment:lifecycle-hooks': 'run code when it is installed',
  'endowment:webassembly': 'use WebAssembly',
  snap_dialog: 'show dialogs',
  snap_getEntropy: 'derive its own keys from the recovery phrase',
  snap_manageAccounts: 'add accounts to the wallet and remove them',
  snap_manageState: 'store data in the wallet',
  snap_notify: 'show notifications',
};

/** @returns What a permission lets a snap do, in words. */
export function describePermission(permission: string, caveat: Json): string {
  if (permission === 'endowment:keyring') {
    const { allowedOrigins = [] } = caveat as { allowedOrigins?: string[] };
    return `manage accounts for the wallet${allowedOrigins.map((origin) => ` and ${origin}`).join('')}`;
  }
  return WORDS[permission] ?? permission;
}
