import { Box, Button, Checkbox, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, OriginRow } from '../parts';

/** An account that can be connected to a site. The ID is the name of its checkbox. */
type Choice = {
  readonly id: string;
  readonly name: string;
  readonly address: Hex;
  readonly isChosen: boolean;
};

/** The name of the button that shows more accounts. */
export const MORE = 'more';

type Props = {
  readonly origin: string;
  readonly accounts: readonly Choice[];
  /** How many accounts are shown. A button shows more. */
  readonly most: number;
};

/** Asks which accounts a site may use. The list at the end shows exactly what the site gets. */
export const ConnectScreen = ({ origin, accounts, most }: Props): JSXElement => {
  const chosen = accounts.filter(({ isChosen }) => isChosen);
  return (
    <Box>
      <Heading>Connect a site</Heading>
      <OriginRow origin={origin} />
      <Text>
        The site will see the addresses you choose and what they hold, and can ask you to sign with them. It cannot sign
        anything by itself. You are asked each time.
      </Text>
      <Divider />
      {accounts.slice(0, most).map(({ id, name, address, isChosen }) => (
        <Box>
          <Checkbox name={id} label={name} checked={isChosen} />
          <AddressRow label="Address" address={address} />
        </Box>
      ))}
      {accounts.length > most ? <Button name={MORE}>{`Show more of ${accounts.length} accounts`}</Button> : null}
      <Divider />
      <Heading size="sm">Accounts for this site</Heading>
      {chosen.length === 0 ? (
        <Text>Nothing. You have not chosen an account.</Text>
      ) : (
        <Box>
          {chosen.map(({ address }) => (
            <AddressRow label="Connected" address={address} />
          ))}
        </Box>
      )}
    </Box>
  );
};

/** A site asks to connect, but there are no accounts. */
export const NoAccountScreen = ({ origin }: { origin: string }): JSXElement => (
  <Box>
    <Heading>No account to connect</Heading>
    <OriginRow origin={origin} />
    <Text>
      This site wants to connect to a Keystead account, but you do not have one yet. Add one in MetaMask, then connect
      again.
    </Text>
  </Box>
);
