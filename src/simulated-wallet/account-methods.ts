import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { sendTransaction } from './send-transaction';
import { sendUserOperation } from './send-user-operation';
import { submitRequest } from './submit-request';
import { type Caller, type WalletMethod } from './caller';
import { invalidParams, unauthorized, userRejected } from './rpc-error';

async function connectedAccount(address: unknown, field: string, { wallet, origin }: Caller): Promise<KeyringAccount> {
  if (typeof address !== 'string') throw invalidParams(`${field}: must be the address of an account`);
  const { accounts } = await wallet.connections.of(origin);
  const account = await wallet.accounts.findByAddress(address);
  if (account === undefined || !accounts.some((each) => each.toLowerCase() === address.toLowerCase()))
    throw unauthorized(`${field}: the account is not connected to this site`);
  return account;
}

const listOf = (params: Json | undefined): readonly Json[] => (Array.isArray(params) ? params : []);

/** @returns The bytes as text if they are UTF-8, otherwise as hex. */
function readable(data: string): string {
  try {
    const bytes = Uint8Array.from(data.slice(2).match(/../gu) ?? [], (pair) => parseInt(pair, 16));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return data;
  }
}

/** Has the person choose the accounts that a site may see. */
async function chooseAccounts({ wallet, origin, screens }: Caller): Promise<string[]> {
  const all = (await wallet.accounts.list()).map(({ account: { address }, name }) => [address, name] as const);
  const chosen = await screens.chooseAccounts(origin, new Map(all));
  if (chosen === undefined || chosen.length === 0) throw userRejected();
  await wallet.connections.setAccounts(origin, chosen);
  return [...chosen];
}

/** The account methods that dapps call. As in MetaMask, the wallet asks first and then calls the snap. */
export const ACCOUNT_METHODS: Readonly<Record<string, WalletMethod>> = {
  eth_accounts: async (_params, { wallet, origin }) => [...(await wallet.connections.of(origin)).accounts],
  eth_requestAccounts: async (_params, { wallet, origin, screens }) => {
    const { accounts } = await wallet.connections.of(origin);
    return accounts.length > 0 ? [...accounts] : chooseAccounts({ wallet, origin, screens });
  },
  // EIP-2255. Asks again, whatever the site may see already.
  wallet_requestPermissions: async (_params, caller) => {
    await chooseAccounts(caller);
    return [{ parentCapability: 'eth_accounts' }];
  },
  personal_sign: async (params, caller) => {
    const [data, address] = listOf(params);
    if (typeof data !== 'string' || !/^0x(?:[0-9a-f]{2})*$/iu.test(data))
      throw invalidParams('params[0]: must be bytes in hex');
    const account = await connectedAccount(address, 'params[1]', caller);
    const lines = [
      ['Account', account.address],
      ['Message', readable(data)],
    ] as const;
    if (!(await caller.screens.confirm('Sign a message', caller.origin, lines))) throw userRejected();
    return submitRequest(caller.wallet, account, '', 'personal_sign', [data, account.address.toLowerCase()]);
  },
  eth_signTypedData_v4: async (params, caller) => {
    const [address, data] = listOf(params);
    const account = await connectedAccount(address, 'params[0]', caller);
    const typedData = parsed(data);
    const lines = [
      ['Account', account.address],
      ['Data', JSON.stringify(typedData, null, 2)],
    ] as const;
    if (!(await caller.screens.confirm('Sign typed data', caller.origin, lines))) throw userRejected();
    const { domain } = typedData as { domain?: { chainId?: Json } };
    const scope = domain?.chainId === undefined ? '' : `eip155:${String(domain.chainId)}`;
    return submitRequest(caller.wallet, account, scope, 'eth_signTypedData_v4', [
      account.address.toLowerCase(),
      typedData,
    ]);
  },
  eth_sendTransaction: async (params, caller) => {
    const [transaction] = listOf(params);
    if (typeof transaction !== 'object' || transaction === null || Array.isArray(transaction))
      throw invalidParams('params[0]: must be a transaction');
    const account = await connectedAccount(transaction.from, 'params[0].from', caller);
    const send = account.type === 'eip155:erc4337' ? sendUserOperation : sendTransaction;
    return send(transaction, account, caller);
  },
};

function parsed(data: Json | undefined): Json {
  if (typeof data !== 'string') return data ?? null;
  try {
    return JSON.parse(data) as Json;
  } catch {
    throw invalidParams('params[1]: must be typed data, as an object or as JSON');
  }
}
