import { Button, Divider, Heading, type JSXElement, Section, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { counted } from '../../../core/eth/units';
import { AddressRow, Screen, TextRow } from '../parts';

/** The name of a button. */
export const FORGET = 'forget';

type Props = {
  /** The accounts that have sent something, and to how many. */
  readonly accounts: readonly { readonly account: Hex; readonly recipients: number }[];
  /** The number of shown transactions that may still be sent. */
  readonly waiting: number;
};

/** Says what Keystead Insights does, what it remembers, and how to delete that. */
export const InsightsHomeScreen = ({ accounts, waiting }: Props): JSXElement => (
  <Screen>
    <Heading>What Keystead Insights does</Heading>
    <Text>
      Before you confirm a transaction or a message in MetaMask, it says in words what the request does, warns of known
      ways to lose assets, and shows what would change. It does so for all your accounts.
    </Text>
    <Text>
      It has no accounts and no keys. It cannot sign or send anything, and it contacts nobody but the network's node in
      MetaMask.
    </Text>
    <Heading>Networks</Heading>
    <Text>
      It explains requests on every network. What would change is shown where MetaMask passes simulations on to the
      network's node. Elsewhere, it says whether a transaction would fail now.
    </Text>
    <Divider />
    <Heading>What it remembers</Heading>
    <Text>
      Which addresses your accounts have sent to, in order to point out new recipients and look-alikes. This is stored
      encrypted in MetaMask, and nowhere else.
    </Text>
    {accounts.map(({ account, recipients }) => (
      <Section>
        <AddressRow label="Account" address={account} />
        <TextRow label="Remembered" text={counted(recipients, 'recipient')} />
      </Section>
    ))}
    {waiting === 0 ? null : (
      <Text>{`It still has to find out about ${counted(waiting, 'transaction')} whether you sent it.`}</Text>
    )}
    {accounts.length + waiting === 0 ? <Text>Nothing yet.</Text> : <Button name={FORGET}>Forget all recipients</Button>}
  </Screen>
);

/** Asks before the history is deleted. */
export const ForgetScreen = (): JSXElement => (
  <Screen>
    <Heading>Forget all recipients?</Heading>
    <Text>
      Every recipient is new again. Until you have sent to an address once more, Keystead Insights cannot warn you of
      others that look like it. This cannot be undone.
    </Text>
  </Screen>
);
