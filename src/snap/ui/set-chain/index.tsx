import { Box, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { chainChanges } from '../../../core/decode/chain-configuration';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { OriginRow, settingRows, Warning } from '../parts';

type Props = {
  readonly before: ChainConfiguration | 'damaged' | undefined;
  readonly after: ChainConfiguration;
  readonly origin: string;
};

/** Before a chain is set up or its configuration changed: every setting, old and new. */
export const SetChainScreen = ({ before, after, origin }: Props): JSXElement => (
  <Box>
    <Heading>
      {typeof before === 'object' ? `Change the chain ${after.chainId}` : `Set up the chain ${after.chainId}`}
    </Heading>
    <OriginRow origin={origin} />
    {before === 'damaged' ? <Text>What is stored of this chain is damaged. This replaces it.</Text> : null}
    <Divider />
    {chainChanges(typeof before === 'object' ? before : undefined, after).map((change) =>
      settingRows(change.label, change.before, change.after),
    )}
    <Divider />
    <Warning
      title="These services see what your smart accounts do"
      text="The node tells Keystead your accounts' state, and the bundler sends their operations. Choose services that you trust; none of them gets your keys."
    />
  </Box>
);
