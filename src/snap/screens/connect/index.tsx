import { Box, Button, Checkbox, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { createFields, type ShownNewAccount, titleOf } from '../create-account';
import { AddressRow, brief, OriginRow, Screen, TextRow } from '../parts';

/** An account that can be connected to a site. The ID is the name of its checkbox. */
type Choice = {
  readonly id: string;
  readonly name: string;
  readonly address: Hex;
  readonly isChosen: boolean;
  /** Whether the site named this account. */
  readonly isAskedFor: boolean;
  /** Whether the site can have it sign messages. */
  readonly signsMessages: boolean;
};

/** The name of the button that shows more accounts. */
export const MORE = 'more';
/** The name of the box that creates an account. The IDs of accounts are UUIDs, so they differ from it. */
export const CREATE = 'create';

type Props = {
  readonly origin: string;
  /** It is a page that manages the accounts, and sees all of them anyway. */
  readonly isOwnPage: boolean;
  readonly accounts: readonly Choice[];
  /** The number of accounts that are shown. A button shows more. */
  readonly most: number;
  /** The account to create; undefined if none is to be created. */
  readonly created: ShownNewAccount | undefined;
  /** The title of the network for a new smart account; undefined if there is none for smart accounts. */
  readonly network: string | undefined;
};

/** Asks which accounts a site may use. The list at the end shows exactly what the site gets. */
export const ConnectScreen = ({ origin, isOwnPage, accounts, most, created, network }: Props): JSXElement => {
  const chosen = accounts.filter(({ isChosen }) => isChosen);
  return (
    <Screen>
      <Heading>{isOwnPage ? 'Connect this Keystead page' : 'Connect a site'}</Heading>
      <OriginRow origin={origin} />
      <Text>
        {isOwnPage
          ? 'This page manages your accounts. With those that you choose, or create on it, it can ask you to sign.'
          : 'The site will see the addresses you choose and what they hold, and can ask you to sign with them.'}
        {' It cannot sign anything by itself. You are asked each time.'}
      </Text>
      <Divider />
      {accounts.slice(0, most).map(({ id, name, address, isChosen, isAskedFor, signsMessages }) => (
        <Box>
          <Checkbox name={id} label={brief(name)} checked={isChosen} />
          {brief(name) === name ? null : <Text>{name}</Text>}
          <AddressRow label="Address" address={address} />
          {isAskedFor ? <Text color="alternative">The site asks for this account.</Text> : null}
          {signsMessages ? null : <Text color="alternative">It cannot sign in to sites, or sign messages.</Text>}
        </Box>
      ))}
      {accounts.length > most ? <Button name={MORE}>{`Show more (${most} of ${accounts.length} shown)`}</Button> : null}
      {accounts.length === 0 ? (
        <Text>
          {created === undefined
            ? 'You have no Keystead account yet. Tick the box to create one for this site.'
            : 'You have no Keystead account yet. One is created for this site when you approve.'}
        </Text>
      ) : null}
      <Checkbox name={CREATE} label="Create an account" checked={created !== undefined} />
      {created === undefined ? null : createFields(created, network)}
      <Divider />
      <Heading size="sm">Accounts for this site</Heading>
      {chosen.length === 0 && created === undefined ? (
        <Text>None. If you approve now, the site is not connected.</Text>
      ) : (
        <Box>
          {chosen.map(({ name, address }) => (
            <AddressRow label={brief(name)} address={address} />
          ))}
          {created === undefined ? null : <TextRow label="To be created" text={titleOf(created, network)} />}
        </Box>
      )}
    </Screen>
  );
};
