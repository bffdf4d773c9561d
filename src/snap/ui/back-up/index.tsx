import { Box, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { visible } from '../../../core/decode/text';
import { damagedChains, OriginRow, TextRow, Warning } from '../parts';

type Props = {
  readonly origin: string;
  readonly url: string;
  /** How many there are; the imported ones are among them. */
  readonly accounts: number;
  readonly imported: number;
  readonly chains: number;
  /** How many accounts cannot be read, and are not in it. */
  readonly damagedAccounts: number;
  /** The chains that cannot be read, and are not in it. */
  readonly damaged: readonly string[];
};

/** Before a backup is made: what is in it, and where it goes. */
export const BackUpScreen = ({
  origin,
  url,
  accounts,
  imported,
  chains,
  damagedAccounts,
  damaged,
}: Props): JSXElement => (
  <Box>
    <Heading>Back up</Heading>
    <OriginRow origin={origin} />
    <TextRow label="Accounts" text={`${accounts}`} />
    <TextRow label="Imported private keys" text={`${imported}`} />
    <TextRow label="Chains" text={`${chains}`} />
    {damagedAccounts === 0 ? null : (
      <Warning title="Damaged accounts" text={`${damagedAccounts} cannot be read: left out.`} />
    )}
    {damagedChains(damaged)}
    <TextRow label="Goes to" text={visible(url)} />
    <Text>
      It is encrypted with a key from your recovery phrase before it leaves this device. Settings and connections are
      not in it.
    </Text>
    <Warning
      title="Keep two things"
      text="To restore it you need your recovery phrase and the address of the backup (its CID), which Keystead shows on its page. One without the other brings nothing back."
    />
  </Box>
);
