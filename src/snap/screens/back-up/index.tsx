import { Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { visible } from '../../../core/decode/words/text';
import { counted } from '../../../core/eth/units';
import { damagedChains, OriginRow, Screen, TextRow, Warning } from '../parts';

type Props = {
  readonly origin: string;
  /** The storage service; undefined if whoever asks gets the file. */
  readonly url: string | undefined;
  /** The number of accounts, including imported ones. */
  readonly accounts: number;
  readonly imported: number;
  readonly chains: number;
  readonly contacts: number;
  readonly tokens: number;
  /** Signatures that others can use. */
  readonly signed: number;
  /** The number of accounts that cannot be read and are left out. */
  readonly damagedAccounts: number;
  /** The networks that cannot be read and are left out. */
  readonly damaged: readonly string[];
};

/** Asks before a backup is made. Shows its contents and destination. */
export const BackUpScreen = ({
  origin,
  url,
  accounts,
  imported,
  chains,
  contacts,
  tokens,
  signed,
  damagedAccounts,
  damaged,
}: Props): JSXElement => (
  <Screen>
    <Heading>Create a backup</Heading>
    <OriginRow origin={origin} />
    <TextRow label="Accounts" text={`${accounts}`} />
    <TextRow label="Imported private keys" text={`${imported}`} />
    <TextRow label="Networks" text={`${chains}`} />
    <TextRow label="Contacts" text={`${contacts}`} />
    <TextRow label="Watched tokens" text={`${tokens}`} />
    {signed === 0 ? null : <TextRow label="Signatures that may still count" text={`${signed}`} />}
    {damagedAccounts === 0 ? null : (
      <Warning
        title="Damaged accounts"
        text={`${counted(damagedAccounts, 'account')} cannot be read and will be left out.`}
      />
    )}
    {damagedChains(damaged, ' and will be left out.')}
    <TextRow label={url === undefined ? 'Saved as' : 'Storage service'} text={visible(url ?? 'a file')} />
    <Text>
      The backup is encrypted with a key from your recovery phrase before it leaves this device. It does not include
      settings or connected sites.
    </Text>
    <Warning
      title={`Keep your recovery phrase and the ${url === undefined ? 'file' : 'CID'}`}
      text={`You need both to restore the backup: your recovery phrase and ${url === undefined ? 'the file. It opens with that phrase only' : "the backup's address (CID), which Keystead's home page in MetaMask shows"}.`}
    />
  </Screen>
);
