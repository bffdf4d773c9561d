import { Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { chainChanges } from '../../../core/networks/chain-changes';
import { isLoopbackOrigin } from '../../../core/schemas/origin';
import { networkOf } from '../../../core/networks/network';
import { chainIdOf } from '../../../core/schemas/chain';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { networkHeading, OriginRow, Screen, settingRows, Warning } from '../parts';

type KeptProps = { readonly after: ChainConfiguration; readonly origin: string };
type Props = KeptProps & { readonly before: ChainConfiguration | 'damaged' | undefined };

const TRUST =
  'They learn which accounts you have and what you send, but do not get your keys. The node also tells Keystead balances, names of tokens and what previews show, and it can say untrue things.';

/** @returns Whether all of a network that a local page names is on this machine. */
const isLocal = ({ rpcUrl, secondRpcUrl, bundlerUrl, paymasterUrl }: ChainConfiguration, origin: string): boolean =>
  [rpcUrl, secondRpcUrl, bundlerUrl, paymasterUrl, origin].every(
    (url) => url === undefined || (URL.canParse(url) && isLoopbackOrigin(new URL(url).origin)),
  );

/** @returns A sentence if the name or the symbol on screens comes from the configuration alone. */
function selfDeclared(configuration: ChainConfiguration, origin: string): string | undefined {
  const { name, symbol, chainId } = configuration;
  const isNamed = name !== undefined || symbol !== undefined;
  if (!isNamed || networkOf(chainIdOf(chainId), configuration).source === 'known') return undefined;
  const where = isLocal(configuration, origin) ? ', which your own machine serves' : '';
  return `Keystead does not know this network${where}. Its name and symbol are only what this request says.`;
}

/** Asks before a network is added or its settings change. Shows every setting, old and new. */
export const SetChainScreen = ({ before, after, origin }: Props): JSXElement => {
  const note = selfDeclared(after, origin);
  return (
    <Screen>
      <Heading>
        {`${typeof before === 'object' ? 'Change' : 'Add'} network ${networkHeading(chainIdOf(after.chainId))}`}
      </Heading>
      <OriginRow origin={origin} />
      {before === 'damaged' ? <Text>The stored settings of this network are damaged. This replaces them.</Text> : null}
      <Divider />
      {chainChanges(typeof before === 'object' ? before : undefined, after).map((change) =>
        settingRows(change.label, change.before, change.after),
      )}
      {note === undefined ? null : <Text>{note}</Text>}
      <Warning title="Only use services that you trust" text={TRUST} />
    </Screen>
  );
};

/** Shown when a site asks to add a network that is set up already. Approving it changes nothing. */
export const KeptChainScreen = ({ after, origin }: KeptProps): JSXElement => (
  <Screen>
    <Heading>{`Network ${networkHeading(chainIdOf(after.chainId))} is already set up`}</Heading>
    <OriginRow origin={origin} />
    <Text>
      If you approve, your settings stay as they are. The site does not learn that you have this network. Keystead asks
      the node that the site names once which network it serves.
    </Text>
    <Divider />
    <Heading size="sm">The site's settings, which are not used</Heading>
    {chainChanges(undefined, after).map((change) => settingRows(change.label, change.before, change.after))}
  </Screen>
);
