import { type VNode } from 'preact';

import { isSameAddress } from '../../core/eth/address';
import { keyAmong } from '../model/account-name';
import { type Proposal } from '../model/recovery-proposal';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useAddRecovered } from '../model/use-add-recovered';
import { ActionLine } from './action-button';

/** After a recovery: adds the account with its old address, signed for by a key of this wallet’s phrase. */
export function AddRecovered({ proposal }: { readonly proposal: Proposal }): VNode {
  const { accounts } = useSession();
  const { action, add } = useAddRecovered();
  const { chainId, safe, newOwners } = proposal;
  const existing = accounts.find(({ address }) => isSameAddress(address, safe));
  if (existing !== undefined)
    return (
      <p>
        It is in this wallet as <a href={linkTo('account', safe)}>{existing.name}</a>, with the guardians that it had.
        Next, <a href={linkTo('guardians', safe)}>look at them and print a new sheet</a>.
      </p>
    );
  const key = keyAmong(newOwners, accounts);
  if (key === undefined)
    return <p>No new owner is a key of this wallet. If the account is yours, open this link in your new wallet.</p>;
  return (
    <ActionLine action={action} class="main" work={() => add({ chainId: `eip155:${chainId}`, address: safe, key })}>
      Add the account to this wallet
    </ActionLine>
  );
}
