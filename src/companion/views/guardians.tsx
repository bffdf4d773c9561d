import { type VNode } from 'preact';

import { isSameAddress } from '../../core/eth/address';
import { isSafe } from '../model/account-name';
import { linkTo } from '../model/route';
import { isOnChain } from '../model/usable';
import { useSession } from '../model/session';
import { Empty } from '../parts/empty';
import { Guardians } from '../parts/guardians';

/** The guardians of a Safe, on each of its networks. */
export function GuardiansView({ address = '' }: { readonly address: string | undefined }): VNode {
  const { accounts, chains } = useSession();
  const account = accounts.find((each) => isSameAddress(each.address, address));
  if (account === undefined || !isSafe(account))
    return (
      <Empty
        heading="Guardians"
        title="This account cannot have guardians"
        next={['Create a Safe', linkTo('add-account')]}
      >
        <p>Only a Safe can have guardians. Create one, and move what this account holds to it.</p>
      </Empty>
    );
  return (
    <>
      <h1>Guardians of {account.name}</h1>
      <p class="lead">
        If you lose your recovery phrase, enough of your guardians together can give this account to a new one, after a
        delay in which you can cancel.
      </p>
      {chains
        .filter((chain) => isOnChain(account, chain))
        .map((chain) => (
          <Guardians key={chain.chainId} account={account} chain={chain} />
        ))}
    </>
  );
}
