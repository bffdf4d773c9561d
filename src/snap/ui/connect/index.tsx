import {
  Box,
  Button,
  Checkbox,
  CollapsibleSection,
  Divider,
  Dropdown,
  Field,
  Heading,
  Input,
  type JSXElement,
  Option,
  Radio,
  RadioGroup,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { choiceOf, COMMON_CHOICES, OTHER_CHOICES, recommendedKind } from '../../../core/accounts/choices';
import { type KindName } from '../../../core/erc4337/kinds';
import { type Hex } from '../../../core/eth/bytes';
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

export const ACCOUNT_TYPES = ['eip155:erc4337', 'eip155:eoa'] as const;

/** The account that is created when the dialog is approved. */
export type NewAccount = {
  readonly type: (typeof ACCOUNT_TYPES)[number];
  readonly kind: KindName;
  /** As the user typed it; empty for the default name. */
  readonly name: string;
};

/** The name of the button that shows more accounts. */
export const MORE = 'more';
/** The names of the fields about a new account. The IDs of accounts are UUIDs, so they differ from these. */
export const CREATE = 'create';
export const NAME = 'create-name';
export const TYPE = 'create-type';
export const KIND = 'create-kind';

type Props = {
  readonly origin: string;
  /** It is a page that manages the accounts, and sees all of them anyway. */
  readonly isOwnPage: boolean;
  readonly accounts: readonly Choice[];
  /** The number of accounts that are shown. A button shows more. */
  readonly most: number;
  /** The account to create; undefined if none is to be created. */
  readonly created: (NewAccount & { readonly isNameGood: boolean }) | undefined;
  /** The title of the network for a new smart account; undefined if there is none for smart accounts. */
  readonly network: string | undefined;
};

/** What is recommended where there is a network for smart accounts. */
const RECOMMENDED = choiceOf(recommendedKind({ bundlerUrl: '' }));

const titleOf = ({ type, kind }: NewAccount, network: string | undefined): string =>
  type === 'eip155:erc4337' && network !== undefined
    ? `New ${choiceOf(kind).title} on ${network}`
    : 'New standard account';

/** The smart accounts, the one that people usually want first. */
const SMART = [...COMMON_CHOICES, ...OTHER_CHOICES].filter(({ kind }) => kind !== 'eoa');

/** What is recommended comes first; other kinds are for those who look for them. */
const CreateFields = (created: NonNullable<Props['created']>, network: string | undefined): JSXElement => {
  const isSmart = created.type === 'eip155:erc4337' && network !== undefined;
  const { hint, limits } = choiceOf(isSmart ? created.kind : 'eoa');
  return (
    <Box>
      <Field label="Name (optional)" {...(!created.isNameGood && { error: 'Use at most 64 characters of plain text' })}>
        <Input name={NAME} placeholder="Everyday" />
      </Field>
      {network === undefined ? null : (
        <Field label="Kind of account">
          <RadioGroup name={TYPE} value={created.type}>
            <Radio value="eip155:erc4337">{`Recommended: ${RECOMMENDED.title} on ${brief(network)}`}</Radio>
            <Radio value="eip155:eoa">Standard account</Radio>
          </RadioGroup>
        </Field>
      )}
      <Text color="alternative">{hint}</Text>
      <Text color="alternative">{limits}</Text>
      {isSmart ? (
        <CollapsibleSection label="Other kinds">
          <Field label="Smart account">
            <Dropdown name={KIND} value={created.kind}>
              {SMART.map(({ kind, title }) => (
                <Option value={kind}>{title}</Option>
              ))}
            </Dropdown>
          </Field>
        </CollapsibleSection>
      ) : null}
    </Box>
  );
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
          ? 'This page manages your accounts. With those that you choose, it can ask you to sign.'
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
      {created === undefined ? null : CreateFields(created, network)}
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
