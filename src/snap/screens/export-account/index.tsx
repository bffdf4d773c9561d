import { Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { accountRows, DangerBanner, OriginRow, Screen } from '../parts';

type Props = {
  /** By its one name. */
  readonly account: { readonly name: string; readonly address: Hex };
  readonly origin: string;
};

/** Asks before a private key is exported. */
export const ExportAccountScreen = ({ account, origin }: Props): JSXElement => (
  <Screen>
    <Heading>Export a private key</Heading>
    <DangerBanner
      title="The key gives full control of this account"
      text="The site or app named below will get the private key. It can then move everything this account holds, at any time, without asking you. Approve only if you requested this yourself."
    />
    <OriginRow origin={origin} />
    {accountRows(account)}
  </Screen>
);
