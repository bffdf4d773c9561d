import { Divider, Heading, type JSXElement, Section, Text } from '@metamask/snaps-sdk/jsx';

import { ownName } from '../../../core/decode/words/text';
import { counted } from '../../../core/eth/units';
import { type Contact } from '../../../core/accounts/contact';
import { AddressRow, OriginRow, Screen, TextRow } from '../parts';

type Props = {
  /** The names of the contacts so far, by lower-case address. */
  readonly before: Readonly<Record<string, string>>;
  readonly added: readonly Contact[];
  readonly origin: string;
};

/** The rows of a contact, and its old name if it is renamed. */
export const contactRows = ({ name, address }: Contact, old: string | undefined) => [
  <TextRow label="Contact" text={ownName(name)} />,
  <AddressRow label="Address" address={address} />,
  ...(old === undefined ? [] : [<TextRow label="Old name" text={ownName(old)} />]),
];

/** Asks before contacts are added or renamed, because dialogs name their addresses so. */
export const SaveContactsScreen = ({ before, added, origin }: Props): JSXElement => (
  <Screen>
    <Heading>{added.length === 1 ? 'Save a contact' : `Save ${counted(added.length, 'contact')}`}</Heading>
    <OriginRow origin={origin} />
    <Text>Keystead will show these names when you send something. Check the whole addresses.</Text>
    <Divider />
    {added.map((contact) => (
      <Section>{contactRows(contact, before[contact.address.toLowerCase()])}</Section>
    ))}
  </Screen>
);
