import { type VNode } from 'preact';

import { safesOfPhrase } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useAddRecovered } from '../model/use-add-recovered';
import { ActionForm } from './action-form';
import { Choice } from './choice';
import { Field } from './field';
import { KeyChoice } from './recovery-choices';

/** Adds a Safe that guardians recovered, whose address the person knows. */
export function AddByAddress(): VNode {
  const { action, add } = useAddRecovered();
  const { accounts, chains } = useSession();
  const safes = safesOfPhrase(accounts);
  return (
    <details>
      <summary>Add a recovered account by its address</summary>
      {safes.length === 0 ? (
        <p>
          First <a href={linkTo('add-account')}>create the Safe</a> whose key your guardians made the new owner.
        </p>
      ) : (
        <ActionForm
          action={action}
          submit="Add the account"
          isMain
          work={async ({ chain = '', address = '', key: id }) => {
            const key = safes.find((account) => account.id === id);
            return key && add({ chainId: chain, address, key });
          }}
        >
          <Choice
            label="Network"
            name="chain"
            options={chains.map((chain) => [chain.chainId, networkOfChain(chain).name])}
          />
          <Field label="Address of the recovered account" name="address" placeholder="0x…" />
          <KeyChoice label="Its new owner" safes={safes} />
        </ActionForm>
      )}
    </details>
  );
}
