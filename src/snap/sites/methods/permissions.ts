import { PermissionsStruct, wantedAccounts } from '../../../core/schemas/calls';
import { parse } from '../../../core/structs/struct';
import { connect } from '../connect';
import { accountsOf } from '../site';
import { type SiteMethodDeps, type RpcMethod } from './method';

/** The EIP-2255 permissions of a site. */
async function permissionsOf(origin: string, deps: Pick<SiteMethodDeps, 'accounts' | 'permissions'>) {
  const accounts = await accountsOf(origin, deps);
  const date = (await deps.permissions.find(origin))?.date;
  if (accounts.length === 0) return [];
  const value = accounts.map(({ account }) => account.address);
  return [
    {
      invoker: origin,
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value }],
      ...(date !== undefined && { date }),
    },
  ];
}

/** `wallet_getPermissions` (EIP-2255). */
export const walletGetPermissions: RpcMethod<'wallet_getPermissions'> = (_params, origin, deps) =>
  permissionsOf(origin, deps);

/**
 * `wallet_requestPermissions` (EIP-2255) for `eth_accounts`: asks the user to choose the site's accounts, even if it is
 * already connected.
 */
export const walletRequestPermissions: RpcMethod<'wallet_requestPermissions'> = (params, origin, deps) => {
  const wanted = wantedAccounts(parse(PermissionsStruct, params, 'params', ['permissions']));
  return deps.requests.run(origin, async () => {
    await connect(origin, deps, wanted);
    return permissionsOf(origin, deps);
  });
};

/** `wallet_revokePermissions` for `eth_accounts`: disconnects the site. */
export const walletRevokePermissions: RpcMethod<'wallet_revokePermissions'> = async (
  params,
  origin,
  { mutations, permissions },
) => {
  parse(PermissionsStruct, params, 'params', ['permissions']);
  await mutations.runExclusive(() => permissions.remove(origin));
  return null;
};
