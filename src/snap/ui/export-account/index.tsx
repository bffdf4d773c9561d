import { Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, DangerBanner, OriginRow, Screen } from '../parts';

/** Asks before a private key is exported. */
export const ExportAccountScreen = ({ address, origin }: { address: Hex; origin: string }): JSXElement => (
  <Screen>
    <Heading>Export a private key</Heading>
    <DangerBanner
      title="The key gives full control of this account"
      text="The site or app named below will get the private key. It can then move everything this account holds, at any time, without asking you. Approve only if you requested this yourself."
    />
    <OriginRow origin={origin} />
    <AddressRow label="Account" address={address} />
  </Screen>
);
