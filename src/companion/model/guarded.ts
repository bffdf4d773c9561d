import { getAddress, pad } from 'viem';

import { isIn, isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type NodeReader } from '../../core/recovery/answer';
import { type RecoveryModule, recoveryModuleAt } from '../../core/recovery/modules';
import { readRecovery } from '../../core/recovery/state';
import { AddressStruct } from '../../core/schemas/address';
import { BytesStruct } from '../../core/schemas/hex';
import { array, type } from '../../core/schemas/struct';

/** A Safe of which an account is a guardian. */
export type Guarded = { readonly safe: Hex; readonly module: Hex };

/** `GuardianAdded(address indexed wallet, address indexed guardian)` of the modules. */
const GUARDIAN_ADDED = '0xbc3292102fa77e083913064b282926717cdfaede4d35f553d66366c0a3da755a';

/** Anyone can name an account a guardian of Safes of their own. So many, the newest first, are looked at. */
const MAX_SAFES = 20;

const LogsStruct = array(type({ address: AddressStruct, topics: array(BytesStruct) }));

/**
 * Finds the Safes of which an account is a guardian, in the logs of the modules. Each is then asked for its guardians.
 *
 * @returns None of those that do not name the account a guardian now, whatever the logs say.
 * @throws {KeysteadError} If the node does not search its logs.
 * @throws {Error} If none was found, but not all could be looked at.
 */
export async function guardedBy(
  guardian: Hex,
  modules: readonly RecoveryModule[],
  node: NodeReader,
): Promise<readonly Guarded[]> {
  const topics = [GUARDIAN_ADDED, null, pad(guardian)];
  const filter = { address: modules.map(({ address }) => address), fromBlock: '0x0', toBlock: 'latest', topics };
  const logs = await node.ask('eth_getLogs', [filter], LogsStruct);
  const newest = logs
    .flatMap(({ address, topics: [event, safe = '', named = ''] }) => {
      const module = recoveryModuleAt(address, modules);
      const isAsked = event === GUARDIAN_ADDED && isSameAddress(named, pad(guardian)) && safe.length === 66;
      return module === undefined || !isAsked ? [] : [{ module, safe: getAddress(`0x${safe.slice(26)}`) }];
    })
    .reverse();
  const once = newest.filter(
    ({ module, safe }, at) => newest.findIndex((one) => one.module === module && isSameAddress(one.safe, safe)) === at,
  );
  const found = await Promise.all(
    once.slice(0, MAX_SAFES).map(async ({ module, safe }) => {
      const state = await readRecovery(safe, module, node).catch(() => 'unread' as const);
      if (state === 'unread') return state;
      return state?.isEnabled === true && isIn(state.guardians, guardian) ? [{ safe, module: module.address }] : [];
    }),
  );
  const known = found.flatMap((one) => (one === 'unread' ? [] : one));
  if (known.length === 0 && (once.length > MAX_SAFES || found.includes('unread')))
    throw new Error(
      `Accounts: ${once.length} name this account as a guardian in the log, and not all of them could be looked at`,
    );
  return known;
}
