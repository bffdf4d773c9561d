import { KEY, listOf, MESSAGE, permit, transaction } from '../payloads';
import { type SnapRequest } from '../runtime/request';

const keyring = (method: string, params?: unknown, origin = 'metamask'): SnapRequest => ({
  door: 'keyring',
  origin,
  method,
  ...(params !== undefined && { params }),
});

/** What a snap is asked as soon as it runs. */
export const LIST: SnapRequest = keyring('keyring_listAccounts');

const FIRST_OF: Readonly<Record<string, SnapRequest>> = {
  'message-signing': { door: 'rpc', origin: 'https://portfolio.metamask.io', method: 'getPublicKey' },
};
export const firstOf = (name: string): SnapRequest => FIRST_OF[name] ?? LIST;

export const createAccount = (options: object, origin?: string): SnapRequest =>
  keyring('keyring_createAccount', { options }, origin);

export const submit = (account: string, method: string, params: unknown, scope = ''): SnapRequest =>
  keyring('keyring_submitRequest', {
    id: '11111111-1111-4111-8111-111111111111',
    scope,
    account,
    origin: 'metamask',
    request: { method, params },
  });

export type Account = { readonly id: string; readonly address: string };

/** The methods of an externally owned account, each with its request. */
export const signatures = ({ id, address }: Account): Record<string, SnapRequest> => ({
  personal_sign: submit(id, 'personal_sign', [MESSAGE, address]),
  'eth_signTypedData_v4 (permit)': submit(id, 'eth_signTypedData_v4', [address, permit(address)]),
  eth_signTransaction: submit(id, 'eth_signTransaction', [transaction(address)]),
  'eth_signTypedData_v4 (1,000 items)': submit(id, 'eth_signTypedData_v4', [address, listOf(1000)]),
});

/** A wallet in which snaps run, by name. */
export type Host = { readonly call: <T>(name: string, request: SnapRequest) => Promise<T> };

const orUndefined = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

/** How keyrings take a private key. */
const IMPORTS = [{ privateKey: `0x${KEY}` }, { privateKey: KEY }];

/**
 * Has a running snap make accounts in the ways that keyrings know, and finds out what it answers.
 *
 * @param managers - The origins that may manage its accounts; some keyrings make none for the wallet itself.
 * @returns Its requests by name; those it refuses are left out.
 */
export async function requestsOf(
  name: string,
  wallet: Host,
  managers: readonly string[] = ['metamask'],
): Promise<Record<string, SnapRequest>> {
  const asked: Record<string, SnapRequest> = { 'first answer again': firstOf(name) };
  const make = async (options: object): Promise<Account | undefined> => {
    let account: Account | undefined;
    for (const origin of managers) account ??= await orUndefined(wallet.call(name, createAccount(options, origin)));
    return account;
  };
  let imported: Account | undefined;
  for (const options of IMPORTS) imported ??= await make(options);
  const derived = await make({});
  for (const [account, kind] of [
    [imported, 'imported key'],
    [derived, 'own key'],
  ] as const) {
    if (account === undefined) continue;
    for (const [method, request] of Object.entries(signatures(account))) asked[`${method}, ${kind}`] = request;
  }
  if (name === 'message-signing')
    asked.signMessage = { ...firstOf(name), method: 'signMessage', params: { message: 'metamask:hello' } };
  const answered: Record<string, SnapRequest> = {};
  for (const [method, request] of Object.entries(asked)) {
    if ((await orUndefined(wallet.call(name, request).then(() => true))) === true) answered[method] = request;
  }
  return answered;
}
