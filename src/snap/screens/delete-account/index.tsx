import { Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { accountRows, DangerBanner, OriginRow, Screen } from '../parts';

type Props = {
  /** By its one name. */
  readonly account: { readonly name: string; readonly address: Hex };
  readonly origin: string;
  /** The parts that the recovery phrase does not bring back. */
  readonly lost: 'key' | 'address';
};

const WORDS = {
  key: {
    heading: 'Delete an imported account',
    title: 'You may lose this account',
    text: 'The private key of this account was imported, so your recovery phrase cannot restore it. Without a copy of the key or a backup that contains it, you lose everything this account holds.',
  },
  address: {
    heading: 'Delete a recovered account',
    title: 'Write down its address first',
    text: 'Your recovery phrase restores the key of this account, but not its address. To add it again, you need the address or a backup.',
  },
} as const;

/** Asks before a page deletes an account that the recovery phrase does not fully restore. */
export const DeleteAccountScreen = ({ account, origin, lost }: Props): JSXElement => (
  <Screen>
    <Heading>{WORDS[lost].heading}</Heading>
    <DangerBanner title={WORDS[lost].title} text={WORDS[lost].text} />
    <OriginRow origin={origin} />
    {accountRows(account)}
  </Screen>
);
