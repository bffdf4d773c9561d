import { PermissionsStruct, WantedAccountsStruct } from '../../core/schemas/calls';
import { parse } from '../../core/schemas/struct';
import { connect } from '../permissions/connect';
import { accountsOf } from '../permissions/site';
import { type Visit } from './deps';
import { type DoorMethod } from './method';

/** The permission of EIP-2255 that a connected site has. */
async function permissionsOf(visit: Visit) {
  const accounts = await accountsOf(visit);
  if (accounts.length === 0) return [];
  const value = accounts.map(({ account }) => account.address);
  return [
    {
      invoker: visit.origin,
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value }],
    },
  ];
}

/** `wallet_getPermissions` (EIP-2255). */
export const walletGetPermissions: DoorMethod = (_params, visit) => permissionsOf(visit);

/**
 * `wallet_requestPermissions` (EIP-2255) of `eth_accounts`: the person chooses the site's accounts, anew if it
 * has some.
 */
export const walletRequestPermissions: DoorMethod = (params, visit) => {
  parse(PermissionsStruct, params, 'params', ['permissions']);
  const wanted = WantedAccountsStruct.is(params) ? params[0].eth_accounts.caveats[0].value : [];
  return visit.turns.take(visit.origin, async () => {
    await connect(visit, wanted);
    return permissionsOf(visit);
  });
};

/** `wallet_revokePermissions` of `eth_accounts`: the site gives up what it has. */
export const walletRevokePermissions: DoorMethod = async (params, { grants, mutations, origin }) => {
  parse(PermissionsStruct, params, 'params', ['permissions']);
  await mutations.runExclusive(() => grants.remove(origin));
  return null;
};
