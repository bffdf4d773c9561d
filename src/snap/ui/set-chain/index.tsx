import { Box, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { chainChanges } from '../../../core/decode/chain-configuration';
import { networkOf } from '../../../core/networks/network';
import { chainIdOf } from '../../../core/schemas/chain';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { networkHeading, OriginRow, settingRows, Warning } from '../parts';

type KeptProps = { readonly after: ChainConfiguration; readonly origin: string };
type Props = KeptProps & { readonly before: ChainConfiguration | 'damaged' | undefined };

const SERVICES = {
  title: "These services can see your accounts' activity",
  text: "Keystead reads your accounts' state from the node, sends their transactions through it, and sends user operations through the bundler. Only use services that you trust. None of them gets your keys.",
};
const NODE_ALONE = {
  title: "This node can see your accounts' activity",
  text: "Keystead reads your accounts' state from the node and sends their transactions through it. Only use a node that you trust. It does not get your keys.",
};

/** Whether the name or the symbol on screens comes from the configuration alone. */
function isSelfDeclared(configuration: ChainConfiguration): boolean {
  const { name, symbol } = configuration;
  const isNamed = name !== undefined || symbol !== undefined;
  return isNamed && networkOf(chainIdOf(configuration.chainId), configuration).source !== 'known';
}

/** Asks before a network is added or its settings change. Shows every setting, old and new. */
export const SetChainScreen = ({ before, after, origin }: Props): JSXElement => (
  <Box>
    <Heading>
      {`${typeof before === 'object' ? 'Change' : 'Add'} network ${networkHeading(chainIdOf(after.chainId))}`}
    </Heading>
    <OriginRow origin={origin} />
    {before === 'damaged' ? <Text>The stored settings of this network are damaged. This replaces them.</Text> : null}
    <Divider />
    {chainChanges(typeof before === 'object' ? before : undefined, after).map((change) =>
      settingRows(change.label, change.before, change.after),
    )}
    <Divider />
    {isSelfDeclared(after) ? (
      <Text>Keystead does not know this network. Its name and symbol are only what this request says.</Text>
    ) : null}
    {Warning(after.bundlerUrl === undefined ? NODE_ALONE : SERVICES)}
  </Box>
);

/** Shown when a site asks to add a network that is set up already. Approving it changes nothing. */
export const KeptChainScreen = ({ after, origin }: KeptProps): JSXElement => (
  <Box>
    <Heading>{`Add network ${networkHeading(chainIdOf(after.chainId))}`}</Heading>
    <OriginRow origin={origin} />
    <Text>
      You have set up this network already. Your settings stay as they are, and what the site says is not used. The site
      does not learn this. Its node is asked once which network it serves.
    </Text>
    <Divider />
    {chainChanges(undefined, after).map((change) => settingRows(change.label, change.before, change.after))}
  </Box>
);
