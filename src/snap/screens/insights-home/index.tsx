import {
  Button,
  Divider,
  type GenericSnapElement,
  Heading,
  type JSXElement,
  Section,
  Text,
} from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { counted } from '../../../core/eth/units';
import { AddressRow, Screen, TextRow } from '../parts';
import { explainedSections, type ExplainedProps } from './explained';
import { type AskedProps, askedSections } from './permissions';
import { watchAlarms, type WatchProps, watchSections } from '../watch';

/** The name of a button. */
export const FORGET = 'forget';

type Props = {
  /** The accounts that have sent something, and to how many. */
  readonly accounts: readonly { readonly account: Hex; readonly recipients: number }[];
  /** The number of shown transactions that may still be sent. */
  readonly waiting: number;
  /** What it watches, and the form for more. */
  readonly watching: WatchProps;
  /** What it explained and others may use. */
  readonly explained: ExplainedProps;
  /** The accounts whose permissions it can look up. */
  readonly asked: AskedProps;
};

const welcome = (): GenericSnapElement[] => [
  <Heading>What Keystead Insights does</Heading>,
  <Text>
    Before you confirm a transaction or a message in MetaMask, it says in words what the request does, warns of known
    ways to lose assets, and shows what would change. It does so for all your accounts.
  </Text>,
  <Text>
    It has no accounts and no keys. It cannot sign or send anything, and it contacts only the network's node, through
    MetaMask.
  </Text>,
  <Divider />,
];

/**
 * Alarms first; then what may be taken from the accounts, what it watches, what it does, what it remembers, and how to
 * delete that. As long as there is nothing to say, what it does leads.
 */
export const InsightsHomeScreen = ({ accounts, waiting, watching, explained, asked }: Props): JSXElement => (
  <Screen>
    {watchAlarms(watching.watched)}
    {asked.asked.length === 0 ? welcome() : null}
    {explainedSections(explained)}
    {askedSections(asked)}
    {watchSections(watching)}
    <Divider />
    {asked.asked.length === 0 ? null : welcome()}
    <Heading>Networks</Heading>
    <Text>
      It explains requests on every network. Where MetaMask lets it simulate a transaction, it shows what would change.
      Elsewhere, it only says whether the transaction would fail now.
    </Text>
    <Divider />
    <Heading>What it remembers</Heading>
    <Text>
      The addresses that your accounts have sent to, so that it can point out new recipients and look-alikes; what it
      explained and others may use; and what it searched for you. That is stored encrypted in MetaMask, and nowhere
      else.
    </Text>
    {accounts.map(({ account, recipients }) => (
      <Section>
        <AddressRow label="Account" address={account} />
        <TextRow label="Remembered" text={counted(recipients, 'recipient')} />
      </Section>
    ))}
    {waiting === 0 ? null : (
      <Text>{`It does not know yet whether you sent ${counted(waiting, 'transaction')} that it explained.`}</Text>
    )}
    {accounts.length + waiting + asked.asked.length === 0 ? (
      <Text>Nothing yet.</Text>
    ) : (
      <Button name={FORGET} variant="destructive">
        Forget everything
      </Button>
    )}
  </Screen>
);

/** Asks before the history is deleted. */
export const ForgetScreen = (): JSXElement => (
  <Screen>
    <Heading>Forget everything?</Heading>
    <Text>
      Keystead Insights will treat every recipient as new. Until you have sent to an address again, it cannot warn you
      of others that look like it. It will not list what it explained so far and others may still use. The accounts that
      it watches stay. This cannot be undone.
    </Text>
  </Screen>
);
