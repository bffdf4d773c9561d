import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { addToWallet, networkOfChain } from '../model/network';
import { useSession } from '../model/session';
import { numberOf } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';
import { Facts } from './facts';
import { NetworkForm } from './network-form';
import { RemoveButton } from './remove-button';

/** Only the host is shown, because the path of a URL may hold an API key. */
const hostOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : new URL(url).host);

/** Lists the networks that the snap uses. */
export function ChainList(): VNode {
  const { client, chains } = useSession();
  const action = useAction();
  const [edited, setEdited] = useState<string>();
  if (chains.length === 0) return <p>No networks yet. Add one to see balances, send, and use smart accounts.</p>;
  return (
    <>
      {chains.map((chain) => {
        const { chainId, rpcUrl, secondRpcUrl, bundlerUrl, entryPointVersion, paymasterUrl } = chain;
        const { name, symbol, explorerUrl } = networkOfChain(chain);
        return (
          <div class="item" key={chainId}>
            <h3>{name}</h3>
            <Facts
              facts={[
                ['Chain ID', String(numberOf(chainId))],
                ['Currency', symbol],
                ['Node', hostOf(rpcUrl)],
                ['Second node', hostOf(secondRpcUrl)],
                ['Bundler', hostOf(bundlerUrl)],
                ['Entry point', entryPointVersion],
                ['Paymaster service', hostOf(paymasterUrl)],
                ['Block explorer', hostOf(explorerUrl)],
              ]}
            />
            <div class="actions">
              <ActionButton action={action} class="small" work={() => addToWallet(client, chain)}>
                Add to the wallet<span class="visually-hidden"> ({name})</span>
              </ActionButton>
              <button
                type="button"
                class="small"
                aria-expanded={edited === chainId}
                onClick={() => setEdited(edited === chainId ? undefined : chainId)}
              >
                Edit<span class="visually-hidden"> {name}</span>
              </button>
              <RemoveButton
                action={action}
                verb="Remove"
                name={name}
                remove={() => client.dapp('keystead_removeChain', { chainId })}
              />
            </div>
            {edited === chainId ? <NetworkForm chain={chain} /> : null}
          </div>
        );
      })}
      <ActionStatus action={action} />
    </>
  );
}
