import { METHODS as OF_PROVIDER, type Traits } from '../../src/provider/method-table';
import { RPC_METHODS, WHILE_LOCKED } from '../../src/snap/rpc';
import { NODE_READS } from '../../src/snap/rpc/node-reads';

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
const traits: Readonly<Record<string, Traits | undefined>> = OF_PROVIDER;

function rowOf(name: string): string {
  const { inTurn, installs, changesPage } = traits[name] ?? { to: 'snap' };
  const marks = [
    ...(installs ? ['installs'] : []),
    ...(inTurn ? ['in turn'] : []),
    ...(changesPage ? ['changes the page'] : []),
  ];
  const locked = WHILE_LOCKED[name];
  return ['', linked(name), marks.join(', '), locked === undefined ? '' : LOCKED[locked], '']
    .join(' | ')
    .replace(/ {2,}/gu, ' ')
    .trim();
}

const names = (methods: readonly string[]): string => methods.toSorted().map(linked).join(', ');

/** @returns The page of docs/reference/methods.md. */
export const methodsPage = (): string => `# Methods

Written by \`npm run reference\` from the tables of the snap and of the provider.

## For sites

A method "installs" the snap if it is not there; it runs "in turn" if it may ask the person; it "changes the page" if accounts or chain may be others
afterwards. Where the last column is empty, the answer is 4100. [Who may call](../rpc.md#who-may-call) says what a site gets that is not connected. Others call [the keyring](../keyring.md) and
[managing methods](../management.md).

| Method | In the provider | While the wallet is locked |
| --- | --- | --- |
${Object.keys(RPC_METHODS)
  .filter((name) => !Object.hasOwn(NODE_READS, name))
  .map(rowOf)
  .join('\n')}

The provider answers \`eth_coinbase\` from \`eth_accounts\`.

## Node reads

The node of the site's network answers them, for connected sites: ${names(Object.keys(NODE_READS))}.

Only a node that the page gives to the provider answers these: ${names(
  Object.entries(traits).flatMap(([name, each]) => (each?.needsNode ? [name] : [])),
)}.
`;
