import { type VNode } from 'preact';
import { getAddress } from 'viem';

import { type OwnerChange } from '../../core/safe/owners/changes';
import { isOwner } from '../../core/safe/owners/owners';
import { contacts } from '../model/contacts';
import { entrantOf, leaverOf } from '../model/owner-change';
import { type Passkey, passkeyLink, passkeys } from '../model/passkeys';
import { nameOf } from '../model/recipient-name';
import { linkTo } from '../model/route';
import { type SafeState } from '../model/safe';
import { Facts } from './facts';
import { NewPhraseSteps } from './new-phrase';
import { Party } from './party';

type Props = {
  readonly change: OwnerChange;
  /** The account as the node has it. */
  readonly safe: SafeState;
  readonly passkey: Passkey;
  /** The change gave the account to a new phrase. */
  readonly isNewPhrase: boolean;
};

/** After a change of owners: what the network has of it, and who says so. */
export function OwnersNow({ change, safe, passkey, isNewPhrase }: Props): VNode {
  const { chain, safe: account } = passkey;
  const known = { accounts: [], contacts: contacts.use(), passkeys: passkeys.use() };
  const [entrant, leaver] = [entrantOf(change), leaverOf(change)];
  const isDone = (entrant === undefined || isOwner(entrant, safe)) && (leaver === undefined || !isOwner(leaver, safe));
  const { host } = new URL(chain.rpcUrl);
  return (
    <section class="panel" aria-labelledby="owners-now">
      <h2 id="owners-now">Owners now</h2>
      {isNewPhrase ? <NewPhraseSteps current={isDone ? 4 : 3} /> : null}
      <p role="status">
        {isDone
          ? `The node at ${host} says that the change is done${leaver === undefined ? '' : `: ${getAddress(leaver)} is not an owner any more`}.`
          : `The node at ${host} does not show the change yet.`}
      </p>
      <Facts
        facts={safe.owners.map((owner, at) => [
          `Owner ${at + 1}`,
          <Party address={getAddress(owner)} name={nameOf(owner, known)} />,
        ])}
      />
      {isNewPhrase && isDone ? (
        <>
          <p>
            The account belongs to the new phrase and to the passkey, and keeps its address. Each network has its own
            list of owners: do the same on every other network on which the account holds something.
          </p>
          <div class="actions">
            <a class="button main" href={passkeyLink(passkey)}>
              Go on with the account
            </a>
            <a class="button" href={linkTo('owners', account, chain.chainId)}>
              See it in the new wallet
            </a>
          </div>
        </>
      ) : null}
    </section>
  );
}
