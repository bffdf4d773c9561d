import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { createAccount, optionsFor } from '../model/create-account';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { ChainOfAccount, KindChoice } from './create-account';
import { Field, valuesOf } from './field';

/** Imports a private key. */
export function ImportAccount(): VNode {
  const { client, chains, refresh } = useSession();
  const [kind, setKind] = useState('eoa');
  const [made, setMade] = useState(0);
  const action = useAction();
  return (
    <details class="panel">
      <summary>Import a private key</summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const { chainId = chains[0]?.chainId, privateKey = '' } = valuesOf(event.currentTarget);
          action.run(async () => {
            const { id } = await createAccount(client, { ...optionsFor(kind, chainId), privateKey }, '');
            const { accounts } = await refresh();
            setMade(made + 1);
            return `Imported ${accounts.find((account) => account.id === id)?.name ?? 'the account'}.`;
          });
        }}
      >
        <Field
          key={made}
          label="Private key"
          name="privateKey"
          secret
          hint="0x followed by 64 hex digits. Do not use a key that holds real funds. Your recovery phrase does not restore imported accounts."
        />
        <KindChoice kind={kind} recommended="eoa" onChoose={setKind} />
        <ChainOfAccount kind={kind} />
        <div class="actions">
          <button type="submit" aria-disabled={action.isBusy}>
            Import
          </button>
        </div>
        <ActionStatus action={action} />
      </form>
    </details>
  );
}
