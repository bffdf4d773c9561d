import { Field, Heading, Input, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, OriginRow, Screen } from '../parts';

/** The name of the field. */
export const PRIVATE_KEY = 'private-key';

type Props = {
  readonly origin: string;
  /** The address of the key; undefined while there is none. */
  readonly address: Hex | undefined;
  /** Whether what is typed is no private key. */
  readonly isWrong: boolean;
};

/** Asks for a private key, which is typed here and not on a page. The key itself is never drawn. */
export const ImportKeyScreen = ({ origin, address, isWrong }: Props): JSXElement => (
  <Screen>
    <Heading>Import a private key</Heading>
    <OriginRow origin={origin} />
    <Field label="Private key" {...(isWrong && { error: 'This is not a private key: enter its 64 hex digits' })}>
      <Input name={PRIVATE_KEY} type="password" placeholder="64 hex digits, with or without 0x" />
    </Field>
    {address === undefined ? null : <AddressRow label="Address of the key" address={address} />}
    <Text>Do not use a key that holds real funds. No page sees what you enter here.</Text>
  </Screen>
);
