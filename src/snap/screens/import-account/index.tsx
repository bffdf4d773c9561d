import { Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, OriginRow, Screen, Warning } from '../parts';

/** Asks before a private key is imported. The key itself is not shown. */
export const ImportAccountScreen = ({ address, origin }: { address: Hex; origin: string }): JSXElement => (
  <Screen>
    <Heading>Import an account</Heading>
    <OriginRow origin={origin} />
    <AddressRow label="Account" address={address} />
    <Text>Keystead will store the private key of this account, encrypted by MetaMask.</Text>
    <Warning
      title="Not recoverable from your recovery phrase"
      text="If you lose this wallet's data, you can restore this account only with a copy of its private key, or with a backup that was made after the import."
    />
  </Screen>
);
