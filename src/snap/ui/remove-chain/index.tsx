import { Box, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { visible } from '../../../core/decode/text';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { OriginRow, TextRow } from '../parts';

/** Before the configuration of a chain is forgotten. */
export const RemoveChainScreen = ({
  name,
  before,
  origin,
}: {
  name: string;
  before: ChainConfiguration | 'damaged' | undefined;
  origin: string;
}): JSXElement => (
  <Box>
    <Heading>{`Remove the chain ${name}`}</Heading>
    <OriginRow origin={origin} />
    {typeof before === 'object' ? (
      <Box>
        <TextRow label="Node" text={visible(before.rpcUrl)} />
        <TextRow label="Bundler" text={visible(before.bundlerUrl)} />
      </Box>
    ) : null}
    {before === 'damaged' ? <Text>What is stored of it is damaged.</Text> : null}
    <Text>Your accounts stay. Smart accounts cannot send anything on this chain until it is set up again.</Text>
  </Box>
);
