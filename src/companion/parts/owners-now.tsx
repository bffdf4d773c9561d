import { type VNode } from 'preact';
import { getAddress } from 'viem';

import { type OwnerChange } from '../../core/safe/owners/changes';
import { isOwner } from '../../core/safe/owners/owners';
import { entrantOf, leaverOf } from '../model/owner-change';
import { type Passkey, passkeyLink } from '../model/passkeys';
import { linkTo } from '../model/route';
import { type SafeState } from '../model/safe';
import { useNames } from '../model/use-names';
import { Facts } from './facts';
import { NewPhraseSteps } from './new-phrase';
import { Panel } from './panel';
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
  const called = useNames();
  const [entrant, leaver] = [entrantOf(change), leaverOf(change)];
  const isDone = (entrant === undefined || isOwner(entrant, safe)) && (leaver === undefined || !isOwner(leaver, safe));
  const { host } = new URL(chain.rpcUrl);
  return (
    <Panel id="owners-now" title="Owners now">
      {isNewPhrase ? <NewPhraseSteps current={isDone ? 4 : 3} /> : null}
      <p role="status">
        {isDone
          ? `The node at ${host} says that the change is done${leaver === undefined ? '' : `: ${getAddress(leaver)} is not an owner any more`}.`
          : `The node at ${host} does not show the change yet.`}
      </p>
      <Facts
        facts={safe.owners.map((owner, at) => [
          `Owner ${at + 1}`,
          <Party address={getAddress(owner)} name={called(owner)} />,
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
    </Panel>
  );
}
