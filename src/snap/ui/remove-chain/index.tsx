import { Box, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { visible } from '../../../core/decode/words/text';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { networkHeading, OriginRow, Screen, TextRow } from '../parts';

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
    {typeof before === 'object' ? (
      <Box>
        <TextRow label="RPC URL" text={visible(before.rpcUrl)} />
        {before.bundlerUrl === undefined ? null : <TextRow label="Bundler URL" text={visible(before.bundlerUrl)} />}
      </Box>
    ) : null}
    {before === 'damaged' ? <Text>Its stored settings are damaged.</Text> : null}
    <Text>Your accounts are kept. Keystead cannot send anything on this network until you add it again.</Text>
  </Screen>
);
