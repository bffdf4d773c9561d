import { Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { chainChanges } from '../../../core/networks/chain-changes';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { networkHeading, OriginRow, Screen, SettingRow } from '../parts';

/** Asks before the settings of a network are removed. */
export const RemoveChainScreen = ({
  chainId,
  before,
  origin,
}: {
  chainId: bigint;
  before: ChainConfiguration | 'damaged' | undefined;
  origin: string;
}): JSXElement => (
  <Screen>
    <Heading>{`Remove network ${networkHeading(chainId)}`}</Heading>
    <OriginRow origin={origin} />
    {typeof before === 'object'
      ? chainChanges(undefined, before).map(({ label, after }) => <SettingRow label={label} value={after} />)
      : null}
    {before === 'damaged' ? <Text>Its stored settings are damaged.</Text> : null}
    <Text>
      Your accounts are kept. Until you add this network again, Keystead cannot send anything on it, does not look there
      for recoveries of your accounts, and cannot cancel one.
    </Text>
  </Screen>
);
