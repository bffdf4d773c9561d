import { type ComponentChildren, type VNode } from 'preact';

import { createAccount, optionsFor } from '../model/create-account';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { ActionLine } from './action-button';

/** Makes a key of the phrase of the connected wallet, as the owner of a Safe of its own. */
export function MakeKey({ chain, children }: { readonly chain: Chain; readonly children: ComponentChildren }): VNode {
  const { client, refresh } = useSession();
  return (
    <>
      <p>{children}</p>
      <p>Your wallet asks whether to add an account, a Safe of its own. Add it: its key becomes the owner.</p>
      <ActionLine
        class="main"
        work={async () => {
          await createAccount(client, optionsFor('safe-0.7', chain.chainId), '');
          await refresh();
        }}
      >
        Make the new key
      </ActionLine>
    </>
  );
}
