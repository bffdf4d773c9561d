import { type VNode } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { getAddress } from 'viem';

import { contacts, keepContacts, removeContact } from '../model/contacts';
import { readAddress } from '../model/read-fields';
import { SessionContext } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionButton } from '../parts/action-button';
import { ActionForm } from '../parts/action-form';
import { CopyButton } from '../parts/copy-button';
import { Empty } from '../parts/empty';
import { Field } from '../parts/field';
import { Identicon } from '../parts/identicon';
import { Panel } from '../parts/panel';

/** The people that the person sends to, with a wallet or without one. */
export function ContactBook(): VNode {
  // An account that a passkey opens has no wallet.
  const client = useContext(SessionContext)?.client;
  const all = contacts.use();
  const onlyHere = all.filter(({ isInSnap }) => isInSnap !== true);
  const [added, setAdded] = useState(0);
  const action = useAction();
  return (
    <>
      {all.length === 0 ? (
        <Empty title="No contacts yet">
          <p>Give an address a name, and choose it by that name when you send. Keystead’s dialogs show the name too.</p>
        </Empty>
      ) : (
        <Panel id="your-contacts" title="Your contacts">
          <ul class="rows" aria-label="Contacts">
            {all.map((contact) => (
              <li class="row contact" key={contact.address}>
                <Identicon address={contact.address} />
                <div class="who">
                  <h3>{contact.name}</h3>
                  <p class="address">{getAddress(contact.address)}</p>
                </div>
                <div class="row-actions">
                  <CopyButton label={`address of ${contact.name}`} value={contact.address} />
                  <button
                    type="button"
                    class="small quiet"
                    onClick={() => {
                      action.run(async () => {
                        await removeContact(client, contact);
                        return `Removed ${contact.name}.`;
                      });
                    }}
                  >
                    Remove<span class="visually-hidden"> {contact.name}</span>
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {onlyHere.length === 0 || client === undefined ? null : (
        <Panel id="only-here" title="Only in this browser">
          <p>
            {onlyHere.map(({ name }) => name).join(', ')}: kept in this browser alone, and not in dialogs and backups.
          </p>
          <div class="actions">
            <ActionButton
              action={action}
              work={async () => {
                await keepContacts(client, onlyHere);
                return 'Saved in Keystead.';
              }}
            >
              Save in Keystead
            </ActionButton>
          </div>
        </Panel>
      )}
      <Panel id="new-contact" title="New contact">
        <ActionForm
          action={action}
          submit="Save contact"
          isMain
          work={async ({ name = '', address }) => {
            await keepContacts(client, [{ name, address: readAddress(address, 'Address') }]);
            setAdded(added + 1);
            return `Saved ${name}.`;
          }}
        >
          <Field key={`name ${added}`} label="Name" name="name" />
          <Field key={`address ${added}`} label="Address" name="address" placeholder="0x…" />
        </ActionForm>
      </Panel>
    </>
  );
}

export const Contacts = (): VNode => (
  <>
    <h1>Contacts</h1>
    <ContactBook />
  </>
);
