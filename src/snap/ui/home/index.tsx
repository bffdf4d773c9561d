import {
  Banner,
  Button,
  Copyable,
  Divider,
  Dropdown,
  Field,
  Form,
  Heading,
  type JSXElement,
  Link,
  Option,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { explorerLink, type Network } from '../../../core/networks/network';
import { type ShownBatch } from '../calls-status';
import { AddressRow, damagedChains, Screen } from '../parts';
import { AlarmWithButton, RecoveryNotice, type ShownAlarm, type ShownNotice } from '../recovery-alarm';
import { delegationSections, type HomeDelegation } from './delegations';
import { type HomeNode, nodeSections } from './nodes';
import { batchSections, type HomeSite, siteSections } from './sites';

/** The names of the form and its field, which input events carry. */
export const SETTINGS_FORM = 'settings';
export const CONFIRM_FIELD = 'confirmSignatures';

/** A page shows no more accounts. Further ones are counted. */
const MAX_ACCOUNTS = 50;

const COMES_BACK = {
  never: 'Imported. Your recovery phrase does not restore it.',
  'with-phrase': 'Restored by your recovery phrase.',
  'with-address': 'Recovered by guardians. Your recovery phrase restores its key; a backup keeps its address.',
} as const;

export type HomeAccount = {
  readonly address: Hex;
  /** Safe to display. */
  readonly name: string;
  /** The means that bring the account back: nothing, the recovery phrase, or the phrase and its address. */
  readonly comesBack: keyof typeof COMES_BACK;
  /** The networks of a smart account, or those that are set up. */
  readonly networks: readonly Network[];
};

/** The maximum number of networks of an account that are shown. Further ones are counted. */
const MAX_NETWORKS = 10;

export type HomeRecoveries = {
  /** The recoveries that have begun, and what their buttons are for. */
  readonly alarms: readonly { readonly shown: ShownAlarm; readonly button: string }[];
  readonly notices: readonly ShownNotice[];
};

type Props = HomeRecoveries & {
  readonly accounts: readonly HomeAccount[];
  readonly delegations: readonly HomeDelegation[];
  /** The nodes that sites added, and that the person has not vouched for. */
  readonly nodes: readonly HomeNode[];
  /** The connected sites. */
  readonly sites: readonly HomeSite[];
  /** The batches of calls that were sent, latest first. */
  readonly batches: readonly ShownBatch[];
  readonly confirmSignatures: 'never' | 'always';
  /** The networks whose settings cannot be read. */
  readonly damaged: readonly string[];
  readonly saved: boolean;
  /** The parts of the stored state in which something cannot be read, in a person's words. */
  readonly damagedParts: readonly string[];
  /** The CID and time of the last backup, if there is one. */
  readonly backup?: { readonly cid: string; readonly createdAt: string };
};

/** The account's page on the block explorers of its networks; nothing if they have none. */
function explorerLinks({ address, networks }: HomeAccount): JSXElement | null {
  const links = networks.flatMap((network) => {
    const href = explorerLink(network, 'address', address);
    return href === undefined ? [] : [<Link href={href}>{network.name}</Link>];
  });
  if (links.length === 0) return null;
  const more = links.length - MAX_NETWORKS;
  return (
    <Text>
      {'Block explorers: '}
      {links.slice(0, MAX_NETWORKS).flatMap((link, at) => (at === 0 ? [link] : [', ', link]))}
      {more > 0 ? ` and ${more} more` : ''}
    </Text>
  );
}

const accountSection = (account: HomeAccount): JSXElement => (
  <Section>
    <Text fontWeight="bold">{account.name}</Text>
    <AddressRow label="Address" address={account.address} />
    <Text>{COMES_BACK[account.comesBack]}</Text>
    {explorerLinks(account)}
  </Section>
);

const backupSection = ({ cid, createdAt }: NonNullable<Props['backup']>): JSXElement => (
  <Section>
    <Text fontWeight="bold">Backup</Text>
    <Text>{`Last backup: ${createdAt}. Write down its CID. You need it, together with your recovery phrase, to restore the backup.`}</Text>
    <Copyable value={cid} />
  </Section>
);

/** Recoveries that have begun, accounts, the last backup, nodes of sites, connected sites, sent calls, and settings. */
export const HomeScreen = ({
  alarms,
  notices,
  accounts,
  delegations,
  nodes,
  sites,
  batches,
  confirmSignatures,
  damaged,
  saved,
  damagedParts,
  backup,
}: Props): JSXElement => (
  <Screen>
    {alarms.map(({ shown, button }) => AlarmWithButton(shown, button))}
    {notices.map(RecoveryNotice)}
    {damagedParts.length === 0 ? null : (
      <Banner title="Damaged data" severity="danger">
        <Text>{`Keystead cannot read all of its stored data: ${damagedParts.join(', ')}. Nothing was deleted, and a copy is kept before it is replaced. Set up again what is missing.${damagedParts.includes('accounts') ? ' To restore accounts of your recovery phrase, add them again.' : ''}`}</Text>
      </Banner>
    )}
    <Heading>Accounts</Heading>
    {accounts.length === 0 ? <Text>You have no accounts yet. You can create one when you connect a site.</Text> : null}
    {accounts.slice(0, MAX_ACCOUNTS).map(accountSection)}
    {accounts.length > MAX_ACCOUNTS ? <Text>{`and ${accounts.length - MAX_ACCOUNTS} more`}</Text> : null}
    {backup === undefined ? null : backupSection(backup)}
    {damagedChains(damaged, '. Add the networks you use again.')}
    {delegationSections(delegations)}
    {nodeSections(nodes)}
    {siteSections(sites)}
    {batchSections(batches)}
    <Divider />
    <Heading>Settings</Heading>
    {saved ? (
      <Banner title="Saved" severity="success">
        <Text>Your settings apply from the next request on.</Text>
      </Banner>
    ) : null}
    <Form name={SETTINGS_FORM}>
      <Field label="MetaMask asks you before an account signs. When should Keystead ask too?">
        <Dropdown name={CONFIRM_FIELD} value={confirmSignatures}>
          <Option value="never">Only if something looks unusual</Option>
          <Option value="always">Always</Option>
        </Dropdown>
      </Field>
      <Button type="submit" name="save">
        Save
      </Button>
    </Form>
  </Screen>
);
