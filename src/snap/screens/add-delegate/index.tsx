import { Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type AddedDelegate } from '../../../core/schemas/delegate';
import { AddressRow, DangerBanner, OriginRow, Screen, TextRow } from '../parts';

type Props = Omit<AddedDelegate, 'chainId'> & {
  readonly networkTitle: string;
  /** bytes */
  readonly size: number;
  /** Whether the code is that of a delegate on Keystead's own list. */
  readonly isKnownCode: boolean;
  readonly origin: string;
};

/** Asks before a contract is added to those that accounts may delegate to. Shows what its code was checked for. */
export const AddDelegateScreen = ({
  networkTitle,
  address,
  entryPointVersion,
  codeHash,
  size,
  isKnownCode,
  origin,
}: Props): JSXElement => (
  <Screen>
    <Heading>Allow upgrades to this contract</Heading>
    {isKnownCode ? null : (
      <DangerBanner text="Keystead does not know this code. An account that is upgraded to it gives it control of everything the account holds on this network. Allow it only if you trust its authors." />
    )}
    <OriginRow origin={origin} />
    <TextRow label="Network" text={networkTitle} />
    <AddressRow label="Contract" address={address} />
    <Divider />
    {isKnownCode ? <Text>{`The code is that of Simple7702Account ${entryPointVersion}.`}</Text> : null}
    <TextRow label="Code size" text={`${size} bytes`} />
    <TextRow label="Code hash" text={codeHash} />
    <TextRow label="Entry point version" text={entryPointVersion} />
    <TextRow label="Tested" text="It runs calls for the account itself, and refuses them from another address." />
    {isKnownCode ? null : <Text>These tests do not show that the code is safe.</Text>}
    <Divider />
    <Text>No account changes now. Keystead asks you again before an account is upgraded to it.</Text>
  </Screen>
);
