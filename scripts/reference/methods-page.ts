import { SITE_READS } from '../../src/core/methods/node-reads';
import { SITE_METHODS, type SiteMethodName } from '../../src/core/methods/sites';
import { FURTHER_METHODS } from '../../src/provider/method-table';

const PAGES: Readonly<Record<string, string>> = {
  eth_requestAccounts: 'eth_requestAccounts',
  eth_accounts: 'eth_requestAccounts',
  wallet_requestPermissions: 'eth_requestAccounts',
  wallet_getPermissions: 'eth_requestAccounts',
  wallet_revokePermissions: 'eth_requestAccounts',
  personal_ecRecover: 'personal_sign',
  wallet_showCallsStatus: 'wallet_getCallsStatus',
};
/** Methods with a page of their own name. */
const OWN_PAGE =
  /^(?:personal_sign|eth_getUncleByBlock(?:Hash|Number)AndIndex|eth_sign(?:TypedData_v4|Transaction|UserOperation)|eth_(?:prepare|patch)UserOperation|eth_decodeUserOperationCallData|eth_sendTransaction|wallet_(?:addEthereumChain|watchAsset|sendCalls|getCallsStatus|getCapabilities))$/u;

function linked(name: string): string {
  const page = PAGES[name] ?? (OWN_PAGE.test(name) ? name : undefined);
  return page === undefined ? `\`${name}\`` : `[\`${name}\`](../methods/${page}.md)`;
}

const LOCKED = { empty: '`[]`', unlock: 'the wallet asks for its password' };

function rowOf(name: SiteMethodName): string {
  const { asks, changesSite, connects, isOpen, locked } = SITE_METHODS[name];
  const marks = [
    ...(connects ? ['installs'] : []),
    ...(asks || changesSite ? ['in turn'] : []),
    ...(changesSite ? ['changes the page'] : []),
  ];
  return [
    '',
    linked(name),
    isOpen ? 'any' : 'connected',
    marks.join(', '),
    locked === undefined ? '' : LOCKED[locked],
    '',
  ]
    .join(' | ')
    .replace(/ {2,}/gu, ' ')
    .trim();
}

const names = (methods: readonly string[]): string => methods.toSorted().map(linked).join(', ');

/** @returns The page of docs/reference/methods.md. */
export const methodsPage = (): string => `# Methods

Written by \`npm run reference\` from the table of methods (\`src/core/methods\`).

## For sites

A method "installs" the snap if it is not there; it runs "in turn" if it may ask the person or changes the page; it "changes the page" if accounts or chain may be others
afterwards. Where the last column is empty, the answer is 4100. [Who may call](../rpc.md#who-may-call) says what a site gets that is not connected. Others call [the keyring](../keyring.md) and
[managing methods](../management.md).

| Method | Sites | In the provider | While the wallet is locked |
| --- | --- | --- | --- |
${(Object.keys(SITE_METHODS) as SiteMethodName[]).map(rowOf).join('\n')}

The provider answers \`eth_coinbase\` from \`eth_accounts\`.

## Node reads

The node of the site's network answers them, for connected sites: ${names(SITE_READS)}.

Only a node that the page gives to the provider answers these: ${names(
  Object.entries(FURTHER_METHODS).flatMap(([name, each]) => ('needsNode' in each ? [name] : [])),
)}.
`;
