import { Banner, Box, Button, Divider, type GenericSnapElement, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { counted } from '../../../core/eth/units';
import { type NoticeWords } from '../../../core/safe/recovery/notice';
import { accountRows, AddressRow, Screen, TextRow } from '../parts';

/** The prefix of a button's name; the chain, the account and the module follow, with spaces between them. */
export const CANCEL_RECOVERY = 'cancel-recovery:';

/** A recovery that has begun, with names that are safe to display. */
export type ShownAlarm = {
  readonly account: Hex;
  readonly accountName: string;
  readonly networkTitle: string;
  readonly newOwners: readonly Hex[];
  /** How many new owners are not listed. */
  readonly more: number;
  readonly newThreshold: bigint;
  /** The time from which anyone can finish it, or undefined if that has come. */
  readonly from: string | undefined;
};

/** Says what became of a recovery, or that it is not known whether one has begun. */
export const RecoveryNotice = ({ title, text, severity }: NoticeWords): GenericSnapElement => (
  <Banner title={title} severity={severity}>
    <Text>{text}</Text>
  </Banner>
);

const when = (from: string | undefined): string =>
  from === undefined ? 'Anyone can finish this now' : `From ${from} on, anyone can finish this`;

/** Says that guardians are about to replace the owners of an account. */
export const RecoveryAlarm = (
  { account, accountName, networkTitle, newOwners, more, newThreshold, from }: ShownAlarm,
  action: GenericSnapElement,
): GenericSnapElement => (
  <Box>
    <Banner title="A recovery of an account has begun" severity="danger">
      <Text>{`Guardians are replacing the owners of ${accountName} on ${networkTitle}. ${when(from)}. Your key then no longer controls the account. If you did not ask for this, cancel the recovery now.`}</Text>
    </Banner>
    {action}
    {accountRows({ name: accountName, address: account })}
    {newOwners.map((owner) => (
      <AddressRow label="New owner" address={owner} />
    ))}
    {more === 0 ? null : <Text>{`and ${counted(more, 'more new owner')}`}</Text>}
    <TextRow label="Signatures required after that" text={newThreshold.toString()} />
  </Box>
);

/** The alarm on a page, which can act. */
export const AlarmWithButton = (alarm: ShownAlarm, name: string): GenericSnapElement =>
  RecoveryAlarm(alarm, <Button name={`${CANCEL_RECOVERY}${name}`}>Cancel recovery</Button>);

type Shown = { readonly alarms: readonly ShownAlarm[]; readonly notices: readonly NoticeWords[] };

/** Says at once that recoveries have begun, or how they ended. */
export const AlarmScreen = ({ alarms, notices }: Shown): JSXElement => (
  <Screen>
    {alarms.map((alarm) =>
      RecoveryAlarm(alarm, <Text>To cancel it, press “Cancel recovery” on Keystead's home page in MetaMask.</Text>),
    )}
    {notices.map(RecoveryNotice)}
  </Screen>
);

/** A dialog about an account with the alarms before anything else. MetaMask shows one dialog of a snap at a time. */
export const AlarmedScreen = ({ alarms, notices, content }: Shown & { readonly content: JSXElement }): JSXElement => (
  <Box>
    <Screen>
      {alarms.map((alarm) =>
        RecoveryAlarm(
          alarm,
          <Text>
            To cancel it, reject this request and press “Cancel recovery” on Keystead's home page in MetaMask.
          </Text>,
        ),
      )}
      {notices.map(RecoveryNotice)}
      <Divider />
    </Screen>
    {content as GenericSnapElement}
  </Box>
);
