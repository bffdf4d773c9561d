import { type VNode } from 'preact';

import { accountName } from '../model/account-name';
import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Field, valuesOf } from './field';

/** Sets or removes the name of an account (`options.label`). */
export function RenameAccount({ account }: { readonly account: Account }): VNode {
  const { client, refresh } = useSession();
  const action = useAction();
  const { label, ...options } = account.options;
  const rename = async (name: string): Promise<string> => {
    const renamed = { ...account, options: name === '' ? options : { ...options, label: name } };
    await client.keyring('keyring_updateAccount', { account: renamed });
    await refresh();
    return name === '' ? 'Name removed.' : `Renamed to ${name}.`;
  };
  return (
    <details>
      <summary>
        Rename<span class="visually-hidden"> {accountName(account)}</span>
      </summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const { label: name = '' } = valuesOf(event.currentTarget);
          action.run(() => rename(name));
        }}
      >
        <Field
          label="Name"
          name="label"
          value={typeof label === 'string' ? label : ''}
          required={false}
          hint="At most 64 characters. Leave it empty to remove the name."
        />
        <div class="actions">
          <button type="submit" aria-disabled={action.isBusy}>
            Rename
          </button>
        </div>
        <ActionStatus action={action} />
      </form>
    </details>
  );
}
