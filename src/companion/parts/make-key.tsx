import { type ComponentChildren, type VNode } from 'preact';

import { createAccount, optionsFor } from '../model/create-account';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';

/** Makes a key of the phrase of the connected wallet, as the owner of a Safe of its own. */
export function MakeKey({ chain, children }: { readonly chain: Chain; readonly children: ComponentChildren }): VNode {
  const { client, refresh } = useSession();
  const action = useAction();
  return (
    <>
      <p>{children}</p>
      <div class="actions">
        <button
          type="button"
          class="main"
          aria-disabled={action.isBusy}
          onClick={() => {
            action.run(async () => {
              await createAccount(client, optionsFor('safe-0.7', chain.chainId), '');
              await refresh();
              return undefined;
            });
          }}
        >
          Make the new key
        </button>
      </div>
      <ActionStatus action={action} />
    </>
  );
}
