import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { createAccount, optionsFor } from '../model/create-account';
import { useSession } from '../model/session';
import { ActionForm } from './action-form';
import { ChainOfAccount, KindChoice } from './create-account';

/** Imports a private key. @param onImported - Called with the account's address. */
export function ImportAccount({ onImported }: { readonly onImported: (address: string) => void }): VNode {
  const { client, chains, refresh } = useSession();
  const [kind, setKind] = useState('eoa');
  return (
    <details class="panel">
      <summary>Import a private key</summary>
      <ActionForm
        submit="Import"
        work={async ({ chainId = chains[0]?.chainId }) => {
          const { id } = await createAccount(client, { ...optionsFor(kind, chainId), importKey: true }, '');
          const { accounts } = await refresh();
          const imported = accounts.find((account) => account.id === id);
          if (imported !== undefined) onImported(imported.address);
          return `Added ${imported?.name ?? 'the account'}.`;
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
