import { connect } from '../connect';
import { accountsOf } from '../site';
import { type SiteMethodDeps, type RpcMethod } from './method';

const addressesOf = async (origin: string, deps: Pick<SiteMethodDeps, 'accounts' | 'permissions'>) =>
  (await accountsOf(origin, deps)).map(({ account }) => account.address);

/** `eth_accounts` (EIP-1193): the accounts that the site may use; empty if it is not connected. */
export const ethAccounts: RpcMethod<'eth_accounts'> = (_params, origin, deps) => addressesOf(origin, deps);

/**
 * `eth_requestAccounts` (EIP-1102): the same, but first asks the user to connect the site if it is not connected.
 *
 * @throws {UserRejectedError} If the user does not connect the site.
 */
export const ethRequestAccounts: RpcMethod<'eth_requestAccounts'> = (_params, origin, deps) =>
  deps.requests.run(origin, async () => {
    const connected = await addressesOf(origin, deps);
    if (connected.length > 0) return connected;
    await connect(origin, deps);
    return addressesOf(origin, deps);
  });
