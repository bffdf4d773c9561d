import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { shortAddress } from '../model/account-name';
import { saveContact } from '../model/contacts';
import { type Recipient, worthKeeping } from '../model/recipient';
import { Field, valuesOf } from './field';

/** Offers to keep one recipient under a name. */
function SaveOne({ address }: Recipient): VNode {
  const [isSaved, setSaved] = useState(false);
  if (isSaved)
    return (
      <p class="status success" role="status">
        Saved {shortAddress(address)}. Find it in Settings, Contacts.
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
          saveContact({ name, address });
          setSaved(true);
        }}
      >
        <Field label="Name of the contact" name="name" hint={address} />
        <div class="actions">
          <button type="submit">Save contact</button>
        </div>
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
