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
  Option,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { type NoticeWords } from '../../../core/safe/recovery/notice';
import { type ShownBatch } from '../calls-status';
import { AddressRow, damagedChains, Screen, TextRow } from '../parts';
import { AlarmWithButton, RecoveryNotice, type ShownAlarm } from '../recovery-alarm';
import { delegationSections, type HomeDelegation } from './delegations';
import { type HomeNode, nodeSections } from './nodes';
import { type HomeSigned, signedSections } from './signed';
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
  /** Such as "Safe". */
  readonly kind: string;
  /** The means that bring the account back: nothing, the recovery phrase, or the phrase and its address. */
  readonly comesBack: keyof typeof COMES_BACK;
  /** On each network of the account that is set up: "1.5 ETH on Ethereum". */
  readonly balances: readonly string[];
};

/** The name of the button. */
export const CREATE_ACCOUNT = 'create-account';

/** An account shows no more balances. Further ones are counted. */
const MAX_BALANCES = 5;

export type HomeRecoveries = {
  /** The recoveries that have begun, and what their buttons are for. */
  readonly alarms: readonly { readonly shown: ShownAlarm; readonly button: string }[];
  readonly notices: readonly NoticeWords[];
};

type Props = HomeRecoveries & {
  readonly accounts: readonly HomeAccount[];
  readonly delegations: readonly HomeDelegation[];
  /** The nodes that sites added, and that the person has not vouched for. */
  readonly nodes: readonly HomeNode[];
  /** What was signed and others can use. */
  readonly signed: HomeSigned;
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

const accountSection = ({ address, name, kind, comesBack, balances }: HomeAccount): JSXElement => (
  <Section>
    <Text fontWeight="bold">{`${name} · ${kind}`}</Text>
    <Text color="alternative">{COMES_BACK[comesBack]}</Text>
    <AddressRow label="Address" address={address} />
    {balances.slice(0, MAX_BALANCES).map((balance) => (
      <TextRow label="Balance" text={balance} />
    ))}
    {balances.length > MAX_BALANCES ? <Text>{`and on ${balances.length - MAX_BALANCES} more networks`}</Text> : null}
  </Section>
);

const backupSection = ({ cid, createdAt }: NonNullable<Props['backup']>): JSXElement => (
  <Section>
    <Text fontWeight="bold">Backup</Text>
    <Text>{`Last backup: ${createdAt}. Write down its CID. You need it, together with your recovery phrase, to restore the backup.`}</Text>
    <Copyable value={cid} />
  </Section>
);

/**
 * Recoveries that have begun, accounts, what waits for signatures, what sites and contracts may do, sent calls, the
 * last backup, and settings.
 */
export const HomeScreen = ({
  alarms,
  notices,
  accounts,
  delegations,
  nodes,
  signed,
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
    {accounts.length === 0 ? <Text>You have no accounts yet.</Text> : null}
    {accounts.slice(0, MAX_ACCOUNTS).map(accountSection)}
    {accounts.length > MAX_ACCOUNTS ? <Text>{`and ${accounts.length - MAX_ACCOUNTS} more`}</Text> : null}
    <Button name={CREATE_ACCOUNT}>Create an account</Button>
    {batchSections(
      'Waiting for signatures',
      batches.filter(({ isWaiting }) => isWaiting),
    )}
    {siteSections(sites)}
    {delegationSections(delegations)}
    {signedSections(signed)}
    {accounts.length === 0 ? null : <Text>The Keystead page shows who may take your tokens and NFTs.</Text>}
    {nodeSections(nodes)}
    {damagedChains(damaged, '. Add the networks you use again.')}
    {batchSections(
      'Calls sent for sites',
      batches.filter(({ isWaiting }) => !isWaiting),
    )}
    {backup === undefined ? null : backupSection(backup)}
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
