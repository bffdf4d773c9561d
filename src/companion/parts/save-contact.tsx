import { type VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';

import { shortAddress } from '../model/account-name';
import { keepContacts } from '../model/contacts';
import { type Recipient, worthKeeping } from '../model/recipient';
import { SessionContext } from '../model/session';
import { ActionForm } from './action-form';
import { Field } from './field';

/** Offers to keep one recipient under a name. */
function SaveOne({ address }: Recipient): VNode {
  const [isSaved, setSaved] = useState(false);
  const client = useContext(SessionContext)?.client;
  if (isSaved)
    return (
      <p class="status success" role="status">
        Saved {shortAddress(address)} among your contacts.
      </p>
    );
  return (
    <details>
      <summary>Save {shortAddress(address)} as a contact</summary>
      <ActionForm
        submit="Save contact"
        work={async ({ name = '' }) => {
          await keepContacts(client, [{ name, address }]);
          setSaved(true);
        }}
      >
        <Field label="Name of the contact" name="name" hint={address} />
      </ActionForm>
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
