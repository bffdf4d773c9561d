import { Box, Heading, type JSXElement, Row, Text } from '@metamask/snaps-sdk/jsx';

import { visible } from '../../explain/text';
import { type ChainConfiguration } from '../../wire/chain-configuration';
import { OriginRow } from '../parts';

/** Before the configuration of a chain is forgotten. */
export const RemoveChainScreen = ({
  configuration,
  origin,
}: {
  configuration: ChainConfiguration;
  origin: string;
}): JSXElement => (
  <Box>
    <Heading>{`Remove the chain ${configuration.chainId}`}</Heading>
    <OriginRow origin={origin} />
    <Row label="Node">
      <Text>{visible(configuration.rpcUrl)}</Text>
    </Row>
    <Row label="Bundler">
      <Text>{visible(configuration.bundlerUrl)}</Text>
    </Row>
    <Text>Your accounts stay. Smart accounts cannot send anything on this chain until it is set up again.</Text>
  </Box>
);
