import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { shortAddress } from '../model/account-name';
import { saveContact } from '../model/contacts';
import { type Recipient } from '../model/recipient';
import { Field, valuesOf } from './field';

/** Offers to keep recipients that have no name yet. */
export function SaveContact({ recipients }: { readonly recipients: readonly Recipient[] }): VNode | null {
  const [saved, setSaved] = useState<readonly string[]>([]);
  const [next] = recipients.filter(({ address, name }) => name === undefined && !saved.includes(address));
  if (next === undefined)
    return saved.length === 0 ? null : (
      <p class="status success" role="status">
        Saved. Find it in Settings, Contacts.
      </p>
    );
  return (
    <details>
      <summary>Save {shortAddress(next.address)} as a contact</summary>
      <form
        class="form"
        key={next.address}
        onSubmit={(event) => {
          event.preventDefault();
          const { name = '' } = valuesOf(event.currentTarget);
          saveContact({ name, address: next.address });
          setSaved([...saved, next.address]);
        }}
      >
        <Field label="Name of the contact" name="name" hint={next.address} />
        <div class="actions">
          <button type="submit">Save contact</button>
        </div>
      </form>
    </details>
  );
}
