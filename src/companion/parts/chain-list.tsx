import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Facts } from './facts';
import { RemoveButton } from './remove-button';

/** A URL may hold a key in its path: its host is enough to be recognised. */
const hostOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : new URL(url).host);

/** The chains that are set up in the snap. */
export function ChainList(): VNode {
  const { client, chains } = useSession();
  const action = useAction();
  if (chains.length === 0) return <p>None is set up. Balances, sending and smart accounts need one.</p>;
  return (
    <>
      {chains.map(({ chainId, rpcUrl, bundlerUrl, entryPointVersion, paymasterUrl }) => (
        <div class="item" key={chainId}>
          <h3>{chainId}</h3>
          <Facts
            facts={[
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
