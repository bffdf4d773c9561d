import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Facts } from './facts';
import { RemoveButton } from './remove-button';

/** Only the host is shown, because the path of a URL may hold an API key. */
const hostOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : new URL(url).host);

/** Lists the networks that the snap uses. */
export function ChainList(): VNode {
  const { client, chains } = useSession();
  const action = useAction();
  if (chains.length === 0) return <p>No networks yet. Add one to see balances, send, and use smart accounts.</p>;
  return (
    <>
      {chains.map(({ chainId, name, rpcUrl, bundlerUrl, entryPointVersion, paymasterUrl }) => (
        <div class="item" key={chainId}>
          <h3>{chainId}</h3>
          <Facts
            facts={[
              ['Name', name],
              ['Node', hostOf(rpcUrl)],
              ['Bundler', hostOf(bundlerUrl)],
              ['Entry point', entryPointVersion],
              ['Paymaster service', hostOf(paymasterUrl)],
            ]}
          />
          <RemoveButton
            action={action}
            verb="Remove"
            name={chainId}
            remove={() => client.dapp('keystead_removeChain', { chainId })}
          />
        </div>
      ))}
      <ActionStatus action={action} />
    </>
  );
}
