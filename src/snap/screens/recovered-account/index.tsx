import { Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, OriginRow, Screen, TextRow, Warning } from '../parts';

/** A Safe that a page asks to add, and whose address does not follow from the key. */
type Recovered = { readonly address: Hex; readonly networkTitle: string; readonly origin: string };

/** Asks before a Safe is added that other keys controlled before. */
export const RecoveredAccountScreen = ({ address, networkTitle, origin }: Recovered): JSXElement => (
  <Screen>
    <Heading>Add a recovered account</Heading>
    <OriginRow origin={origin} />
    <AddressRow label="Account" address={address} />
    <TextRow label="Network" text={networkTitle} />
    <Warning
      title="Compare the whole address"
      text="Compare it with the address you know. Add it only if it is your own account, which guardians recovered for you. If it ever belonged to someone else, they may still be able to take what it receives."
    />
  </Screen>
);
