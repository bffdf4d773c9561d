import {
  Box,
  CollapsibleSection,
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
import { type KindName } from '../../../core/kinds';
import { brief, Screen } from '../parts';

export const ACCOUNT_TYPES = ['eip155:erc4337', 'eip155:eoa'] as const;

/** The account that is created when the dialog is approved. */
export type NewAccount = {
  readonly type: (typeof ACCOUNT_TYPES)[number];
  readonly kind: KindName;
  /** As the user typed it; empty for the default name. */
  readonly name: string;
};

/** The same, and whether its name can be used. */
export type ShownNewAccount = NewAccount & { readonly isNameGood: boolean };

/** The names of the fields. */
export const NAME = 'create-name';
export const TYPE = 'create-type';
export const KIND = 'create-kind';

/** What is recommended where there is a network for smart accounts. */
const RECOMMENDED = choiceOf(recommendedKind({ bundlerUrl: '' }));

/** @returns The new account in words. */
export const titleOf = ({ type, kind }: NewAccount, network: string | undefined): string =>
  type === 'eip155:erc4337' && network !== undefined
    ? `New ${choiceOf(kind).title} on ${network}`
    : 'New standard account';

/** The smart accounts, the one that people usually want first. */
const SMART = [...COMMON_CHOICES, ...OTHER_CHOICES].filter(({ kind }) => kind !== 'eoa');

/** What is recommended comes first; other kinds are for those who look for them. */
export const createFields = (created: ShownNewAccount, network: string | undefined): JSXElement => {
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

type Props = { readonly created: ShownNewAccount; readonly network: string | undefined };

/** Has the person choose the account that is created from the home page. */
export const CreateAccountScreen = ({ created, network }: Props): JSXElement => (
  <Screen>
    <Heading>Create an account</Heading>
    {createFields(created, network)}
    <Text>{`If you approve: ${titleOf(created, network)}.`}</Text>
  </Screen>
);
