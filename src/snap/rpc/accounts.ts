import { connect } from '../permissions/connect';
import { accountsOf } from '../permissions/site';
import { type Visit } from './deps';
import { type DoorMethod } from './method';

const addressesOf = async (visit: Visit) => (await accountsOf(visit)).map(({ account }) => account.address);

/** `eth_accounts` (EIP-1193): the accounts that the site may use; none if it is not connected. */
export const ethAccounts: DoorMethod = (_params, visit) => addressesOf(visit);

/**
 * `eth_requestAccounts` (EIP-1102): the same, after the person has connected the site, if it is not yet.
 *
 * @throws {UserRejectedError} If the person does not connect it.
 */
export const ethRequestAccounts: DoorMethod = (_params, visit) =>
  visit.turns.take(visit.origin, async () => {
    const connected = await addressesOf(visit);
    if (connected.length > 0) return connected;
    await connect(visit);
    return addressesOf(visit);
  });
