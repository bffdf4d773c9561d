import {
  Banner,
  Box,
  Button,
  Divider,
  Dropdown,
  Field,
  Form,
  Heading,
  type JSXElement,
  Option,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../eth/bytes';
import { visible } from '../../explain/text';
import { AddressRow } from '../parts';

/** The names that user input comes back with. */
export const SETTINGS_FORM = 'settings';
export const CONFIRM_FIELD = 'confirmSignatures';

/** A page holds no more rows; the rest is counted. */
const MAX_ACCOUNTS = 50;

export type HomeAccount = { readonly address: Hex; readonly label?: string; readonly recoverable: boolean };

type Props = {
  readonly accounts: readonly HomeAccount[];
  readonly confirmSignatures: 'never' | 'always';
  readonly saved: boolean;
};

const accountSection = ({ address, label, recoverable }: HomeAccount): JSXElement => (
  <Section>
    {label === undefined ? null : <Text>{visible(label)}</Text>}
    <AddressRow label="Account" address={address} />
    <Text>
      {recoverable ? 'Comes back with your recovery phrase.' : 'Imported: not recoverable from your recovery phrase.'}
    </Text>
  </Section>
);

/** The accounts, where each one's key comes from, and the settings. */
export const HomeScreen = ({ accounts, confirmSignatures, saved }: Props): JSXElement => (
  <Box>
    <Heading>Accounts</Heading>
    {accounts.length === 0 ? (
      <Text>No account yet. Add one in MetaMask: choose to add an account, then Keystead.</Text>
    ) : null}
    {accounts.slice(0, MAX_ACCOUNTS).map(accountSection)}
    {accounts.length > MAX_ACCOUNTS ? <Text>{`and ${accounts.length - MAX_ACCOUNTS} more`}</Text> : null}
    <Divider />
    <Heading>Settings</Heading>
    {saved ? (
      <Banner title="Saved" severity="success">
        <Text>The settings hold from the next request on.</Text>
      </Banner>
    ) : null}
    <Form name={SETTINGS_FORM}>
      <Field label="Before an account signs, MetaMask asks you. Should Keystead ask too?">
        <Dropdown name={CONFIRM_FIELD} value={confirmSignatures}>
          <Option value="never">No, once is enough</Option>
          <Option value="always">Yes, always</Option>
        </Dropdown>
      </Field>
      <Button type="submit" name="save">
        Save
      </Button>
    </Form>
  </Box>
);
