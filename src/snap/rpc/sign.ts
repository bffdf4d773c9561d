import { type Json } from '@metamask/snaps-sdk';

import { InternalError } from '../../core/errors';
import { type AccountEntry } from '../accounts/account';
import { submitRequest } from '../accounts/submit-request';
import { type ChainName } from '../../core/schemas/chain';
import { consentFor, type Site } from '../permissions/site';

/** A request of an account method, for one account and chain. */
type AccountRequest = {
  readonly method: string;
  /** Whether nothing may be answered that the person was not asked about. */
  readonly signs: boolean;
  readonly params: Json[];
  /** '' where no chain is set up. */
  readonly scope: ChainName | '';
  /** What the account has to pay with, wei, where that is known. */
  readonly balance?: bigint | undefined;
};

/**
 * Has an account do what the keyring door would have it do, with the same code. The person is shown what is
 * signed and for whom.
 *
 * @throws {UserRejectedError} If it is refused. {@link submitRequest} says what else.
 */
export async function askAccount(stored: AccountEntry, request: AccountRequest, site: Site): Promise<Json> {
  const { balance, method, params, scope, signs } = request;
  const askPerson = consentFor(site, stored);
  let isAgreed = false;
  const consent: Site['consent'] = async (content) => {
    await askPerson(content);
    isAgreed = true;
  };
  const answer = await submitRequest(
    { id: crypto.randomUUID(), scope, account: stored.account.id, origin: site.origin, request: { method, params } },
    { ...site, isDapp: true, consent, balance },
  );
  // Nobody but us asks at this door: whatever the method did, a signature that was not agreed to stays here.
  if (signs && !isAgreed) throw new InternalError('The person was not asked. The signature was not handed out.');
  return 'result' in answer ? answer.result : null;
}
