import { type Json } from '@metamask/snaps-sdk';

const WORDS: Readonly<Record<string, string>> = {
  'endowment:rpc': 'answer requests of web pages',
  'endowment:page-home': 'show a page of its own',
  'endowment:transaction-insight': 'show what it knows about a transaction',
  'endowment:signature-insight': 'show what it knows about a message to be signed',
  'endowment:ethereum-provider': 'read from the wallet’s network',
  'endowment:network-access': 'use the internet',
  'endowment:cronjob': 'be called later, while the page is open',
  'endowment:lifecycle-hooks': 'be told when it is installed',
  'endowment:webassembly': 'use WebAssembly',
  snap_dialog: 'show dialogs',
  snap_getEntropy: 'derive its own keys from the recovery phrase',
  snap_manageAccounts: 'add accounts to the wallet and take them away',
  snap_manageState: 'store data in the wallet',
  snap_notify: 'show notifications',
};

/** What a permission of a snap lets it do, in words. */
export function describePermission(permission: string, caveat: Json): string {
  if (permission === 'endowment:keyring') {
    const { allowedOrigins = [] } = caveat as { allowedOrigins?: string[] };
    return `manage accounts for the wallet${allowedOrigins.map((origin) => ` and ${origin}`).join('')}`;
  }
  return WORDS[permission] ?? permission;
}
