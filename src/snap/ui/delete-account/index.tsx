import { Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, OriginRow, Screen, Warning } from '../parts';

/** Asks before an imported key is deleted at a site's request. */
export const DeleteAccountScreen = ({ address, origin }: { address: Hex; origin: string }): JSXElement => (
  <Screen>
    <Heading>Delete an imported account</Heading>
    <OriginRow origin={origin} />
    <AddressRow label="Account" address={address} />
    <Warning
      title="This cannot be undone"
      text="The private key of this account was imported, and your recovery phrase cannot restore it. Without a copy of the key, you lose everything this account holds."
    />
  </Screen>
);
