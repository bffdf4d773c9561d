import {
  Banner,
  Box,
  Button,
  Copyable,
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

import { type Hex } from '../../../core/eth/bytes';
import { ownName } from '../../../core/decode/text';
import { type ShownBatch } from '../calls-status';
import { AddressRow, damagedChains } from '../parts';
import { batchSections, type HomeSite, siteSections } from './sites';

/** The names that user input comes back with. */
export const SETTINGS_FORM = 'settings';
export const CONFIRM_FIELD = 'confirmSignatures';

/** A page holds no more rows; the rest is counted. */
const MAX_ACCOUNTS = 50;

export type HomeAccount = { readonly address: Hex; readonly name: string; readonly recoverable: boolean };

type Props = {
  readonly accounts: readonly HomeAccount[];
  /** The sites that are connected. */
  readonly sites: readonly HomeSite[];
  /** What was sent, the latest first. */
  readonly batches: readonly ShownBatch[];
  readonly confirmSignatures: 'never' | 'always';
  /** The chains that cannot be read. */
  readonly damaged: readonly string[];
  readonly saved: boolean;
  /** The parts of what is stored of which something cannot be read. */
  readonly damagedParts: readonly string[];
  /** The last backup, if there is one: where it is found, and when it was made. */
  readonly backup?: { readonly cid: string; readonly createdAt: string };
};

const accountSection = ({ address, name, recoverable }: HomeAccount): JSXElement => (
  <Section>
    <Text>{ownName(name)}</Text>
    <AddressRow label="Address" address={address} />
    <Text>
      {recoverable ? 'Comes back with your recovery phrase.' : 'Imported: not recoverable from your recovery phrase.'}
    </Text>
  </Section>
);

const backupSection = ({ cid, createdAt }: NonNullable<Props['backup']>): JSXElement => (
  <Section>
    <Text>{`Last backup: ${createdAt}. Note its CID: it brings the backup back, together with your recovery phrase.`}</Text>
    <Copyable value={cid} />
  </Section>
);

/** The accounts, where each one's key comes from, the last backup, the sites that may use them, what was sent, and the settings. */
export const HomeScreen = ({
  accounts,
  sites,
  batches,
  confirmSignatures,
  damaged,
  saved,
  damagedParts,
  backup,
}: Props): JSXElement => (
  <Box>
    {damagedParts.length === 0 ? null : (
      <Banner title="Damaged data" severity="danger">
        <Text>{`Something of this cannot be read: ${damagedParts.join(', ')}. It stays stored, and a copy is kept when it is replaced.${damagedParts.includes('accounts') ? ' Accounts of your recovery phrase come back when you add them again.' : ''}`}</Text>
      </Banner>
    )}
    <Heading>Accounts</Heading>
    {accounts.length === 0 ? (
      <Text>No account yet. Add one in MetaMask: choose to add an account, then Keystead.</Text>
    ) : null}
    {accounts.slice(0, MAX_ACCOUNTS).map(accountSection)}
    {accounts.length > MAX_ACCOUNTS ? <Text>{`and ${accounts.length - MAX_ACCOUNTS} more`}</Text> : null}
    {backup === undefined ? null : backupSection(backup)}
    {damagedChains(damaged)}
    {siteSections(sites)}
    {batchSections(batches)}
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
