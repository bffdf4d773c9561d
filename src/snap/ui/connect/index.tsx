import { Box, Button, Checkbox, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { ownName } from '../../../core/decode/text';
import { AddressRow, OriginRow } from '../parts';

/** An account that may be given to a site. The id is what input comes back with. */
type Choice = {
  readonly id: string;
  readonly name: string;
  readonly address: Hex;
  readonly isChosen: boolean;
};

/** The name of the button that brings more accounts. */
export const MORE = 'more';

type Props = {
  readonly origin: string;
  readonly accounts: readonly Choice[];
  /** How many of them can be chosen: the others are a press of a button away. */
  readonly most: number;
};

/** Before a site may use accounts: which ones. What is listed at the end is what the site gets. */
export const ConnectScreen = ({ origin, accounts, most }: Props): JSXElement => {
  const chosen = accounts.filter(({ isChosen }) => isChosen);
  return (
    <Box>
      <Heading>Connect a site</Heading>
      <OriginRow origin={origin} />
      <Text>
        It will see the addresses that you choose and what they hold, and may ask you to sign for them. It can sign
        nothing by itself: each time, you are asked.
      </Text>
      <Divider />
      {accounts.slice(0, most).map(({ id, name, address, isChosen }) => (
        <Box>
          <Checkbox name={id} label={ownName(name)} checked={isChosen} />
          <AddressRow label="Address" address={address} />
        </Box>
      ))}
      {accounts.length > most ? <Button name={MORE}>{`Show more of ${accounts.length}`}</Button> : null}
      <Divider />
      <Heading size="sm">The site gets</Heading>
      {chosen.length === 0 ? (
        <Text>Nothing: no account is chosen.</Text>
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

/** A site wants to connect, and there is nothing to connect it to. */
export const NoAccountScreen = ({ origin }: { origin: string }): JSXElement => (
  <Box>
    <Heading>No account to connect</Heading>
    <OriginRow origin={origin} />
    <Text>
      This site wants to use an account of Keystead, and there is none yet. Add one in MetaMask, then let the site ask
      again.
    </Text>
  </Box>
);
