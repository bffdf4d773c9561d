import { type VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';

import { shortAddress } from '../model/account-name';
import { keepContacts } from '../model/contacts';
import { type Recipient, worthKeeping } from '../model/recipient';
import { SessionContext } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Field, valuesOf } from './field';

/** Offers to keep one recipient under a name. */
function SaveOne({ address }: Recipient): VNode {
  const [isSaved, setSaved] = useState(false);
  const client = useContext(SessionContext)?.client;
  const action = useAction();
  if (isSaved)
    return (
      <p class="status success" role="status">
        Saved {shortAddress(address)} among your contacts.
      </p>
    );
  return (
    <details>
      <summary>Save {shortAddress(address)} as a contact</summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const { name = '' } = valuesOf(event.currentTarget);
          action.run(async () => {
            await keepContacts(client, [{ name, address }]);
            setSaved(true);
            return undefined;
          });
        }}
      >
        <Field label="Name of the contact" name="name" hint={address} />
        <div class="actions">
          <button type="submit" aria-disabled={action.isBusy}>
            Save contact
          </button>
        </div>
        <ActionStatus action={action} />
      </form>
    </details>
  );
}

/** Offers to keep each recipient that has no name yet. */
export const SaveContact = ({ recipients }: { readonly recipients: readonly Recipient[] }): VNode => (
  <>
    {worthKeeping(recipients).map((recipient) => (
      <SaveOne key={recipient.address} {...recipient} />
    ))}
  </>
);
