import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { optionsFor } from '../model/create-account';
import { useSession } from '../model/session';
import { ActionForm } from './action-form';
import { ChainOfAccount, KindChoice, useCreate } from './create-account';

/** Imports a private key. @param onImported - Called with the account's address. */
export function ImportAccount({ onImported }: { readonly onImported: (address: string) => void }): VNode {
  const { chains } = useSession();
  const create = useCreate(onImported);
  const [kind, setKind] = useState('eoa');
  return (
    <details class="panel">
      <summary>Import a private key</summary>
      <ActionForm
        submit="Import"
        work={async ({ chainId = chains[0]?.chainId }) => {
          return `Added ${await create({ ...optionsFor(kind, chainId), importKey: true }, '')}.`;
        }}
      >
        <p class="hint">
          You enter the key in a dialog of Keystead, so no page sees it. Your recovery phrase does not restore imported
          accounts.
        </p>
        <KindChoice kind={kind} recommended="eoa" onChoose={setKind} />
        <ChainOfAccount kind={kind} />
      </ActionForm>
    </details>
  );
}
