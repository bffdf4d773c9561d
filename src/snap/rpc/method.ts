import { type AccountEntry } from '../accounts/account';
import { type Site, siteOf } from '../permissions/site';
import { type Visit } from './deps';

/** A method of the dapp door: from the parameters on the wire to the answer. */
export type DoorMethod = (params: unknown, visit: Visit) => Promise<unknown>;

type SiteMethod<Result> = (params: unknown, site: Site) => Promise<Result>;

/** A method for sites that are connected, and that asks nobody. */
export const forConnected =
  (method: SiteMethod<unknown>): DoorMethod =>
  async (params, visit) =>
    method(params, await siteOf(visit));

/**
 * A method for sites that are connected, in the site's turn to ask the person. Who is connected is read when
 * the turn has come: the requests before it may have changed it.
 */
export const inTurn =
  <Result>(method: SiteMethod<Result>): ((params: unknown, visit: Visit) => Promise<Result>) =>
  async (params, visit) => {
    await siteOf(visit);
    return visit.turns.take(visit.origin, async () => method(params, await siteOf(visit)));
  };

/** One sending at a time for each account, whichever site it is for: two must not be given the same nonce. */
export const sending = <Result>(
  { turns }: Site,
  { account: { id } }: AccountEntry,
  send: () => Promise<Result>,
): Promise<Result> => turns.take(`account ${id}`, send);
