import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { ActionForm } from './action-form';
import { Field } from './field';

/** Sets or removes the name of an account (`options.label`). */
export function RenameAccount({ account }: { readonly account: Account }): VNode {
  const { client, refresh } = useSession();
  const { name, ...unnamed } = account;
  const { label, ...options } = account.options;
  const rename = async (to: string): Promise<string> => {
    const renamed = { ...unnamed, options: to === '' ? options : { ...options, label: to } };
    await client.keyring('keyring_updateAccount', { account: renamed });
    await refresh();
    return to === '' ? 'Name removed.' : `Renamed to ${to}.`;
  };
  return (
    <details>
      <summary>
        Rename<span class="visually-hidden"> {name}</span>
      </summary>
      <ActionForm submit="Rename" work={({ label: to = '' }) => rename(to)}>
        <Field
          label="Name"
          name="label"
          value={typeof label === 'string' ? label : ''}
          required={false}
          hint="At most 64 characters. Leave it empty to remove the name."
        />
      </ActionForm>
    </details>
  );
}
