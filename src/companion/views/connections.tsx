import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { ActionStatus } from '../parts/action-status';
import { Empty } from '../parts/empty';

/** Which accounts this page may use, and how to take that back. */
export function Connections(): VNode {
  const { client, accounts } = useSession();
  const [version, setVersion] = useState(0);
  const action = useAction();
  const connected = useLookup(() => client.dapp<string[]>('eth_accounts'), [client, version, accounts.length]);
  const isConnected = (connected.value ?? []).length > 0;
  const again = (work: () => Promise<unknown>): void => {
    action.run(async () => {
      await work();
      setVersion(version + 1);
      return undefined;
    });
  };
  return (
    <>
      <h1>Connections</h1>
      <section class="panel" aria-labelledby="this-page">
        <h2 id="this-page">This page</h2>
        <p class="hint">{location.origin}</p>
        {connected.error === undefined ? null : <p class="status error">{connected.error}</p>}
        {connected.value?.length === 0 ? (
          <Empty title="This page may not use any account">
            <p>Connect it, or sign or send something: Keystead asks you then.</p>
          </Empty>
        ) : (
          <ul class="plain" aria-label="Connected accounts">
            {connected.value?.map((address) => (
              <li key={address} class="address">
                {address}
              </li>
            ))}
          </ul>
        )}
        <div class="actions">
          <button
            type="button"
            class="main"
            aria-disabled={action.isBusy}
            disabled={accounts.length === 0}
            onClick={() => {
              again(() =>
                isConnected
                  ? client.dapp('wallet_requestPermissions', [{ eth_accounts: {} }])
                  : client.dapp('eth_requestAccounts'),
              );
            }}
          >
            {isConnected ? 'Change the accounts' : 'Connect'}
          </button>
          <button
            type="button"
            aria-disabled={action.isBusy}
            disabled={!isConnected}
            onClick={() => {
              again(() => client.dapp('wallet_revokePermissions', [{ eth_accounts: {} }]));
            }}
          >
            Disconnect
          </button>
        </div>
        <ActionStatus action={action} />
      </section>
      <section class="panel" aria-labelledby="others">
        <h2 id="others">Other pages</h2>
        <p>
          Which pages are connected is nobody’s business but yours, so no page can list them. Keystead’s own page in the
          wallet does, with a button to disconnect each:{' '}
          {client.wallet.isSimulated ? 'press “Keystead” at the bottom.' : 'in MetaMask, open Snaps, then Keystead.'}
        </p>
        {accounts.length === 0 ? <a href={linkTo('accounts')}>Create an account first</a> : null}
      </section>
    </>
  );
}
