import { Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type AddedDelegate } from '../../../core/schemas/delegate';
import { AddressRow, OriginRow, Screen, TextRow } from '../parts';

type Props = Pick<AddedDelegate, 'address'> & { readonly networkTitle: string; readonly origin: string };

/** Asks before a contract is removed from those that accounts may delegate to. */
export const RemoveDelegateScreen = ({ networkTitle, address, origin }: Props): JSXElement => (
  <Screen>
    <Heading>Stop new upgrades to this contract</Heading>
    <OriginRow origin={origin} />
    <TextRow label="Network" text={networkTitle} />
    <AddressRow label="Contract" address={address} />
    <Text>
      Accounts already upgraded to it stay upgraded until you take that back on Keystead's home page in MetaMask.
    </Text>
  </Screen>
);
