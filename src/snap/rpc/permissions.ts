import { PermissionsStruct, WantedAccountsStruct } from '../../core/schemas/calls';
import { parse } from '../../core/schemas/struct';
import { connect } from '../permissions/connect';
import { accountsOf, type SiteDeps } from '../permissions/site';
import { type RpcMethod } from './method';

/** The permission of EIP-2255 that a connected site has. */
async function permissionsOf(origin: string, deps: SiteDeps) {
  const accounts = await accountsOf(origin, deps);
  if (accounts.length === 0) return [];
  const value = accounts.map(({ account }) => account.address);
  return [
    {
      invoker: origin,
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value }],
    },
  ];
}

/** `wallet_getPermissions` (EIP-2255). */
export const walletGetPermissions: RpcMethod = (_params, origin, deps) => permissionsOf(origin, deps);

/**
 * `wallet_requestPermissions` (EIP-2255) of `eth_accounts`: the person chooses the site's accounts, anew if it
 * has some.
 */
export const walletRequestPermissions: RpcMethod = (params, origin, deps) => {
  parse(PermissionsStruct, params, 'params', ['permissions']);
  const wanted = WantedAccountsStruct.is(params) ? params[0].eth_accounts.caveats[0].value : [];
  return deps.requests.run(origin, async () => {
    await connect(origin, deps, wanted);
    return permissionsOf(origin, deps);
  });
};

/** `wallet_revokePermissions` of `eth_accounts`: the site gives up what it has. */
export const walletRevokePermissions: RpcMethod = async (params, origin, { mutations, permissions }) => {
  parse(PermissionsStruct, params, 'params', ['permissions']);
  await mutations.runExclusive(() => permissions.remove(origin));
  return null;
};
