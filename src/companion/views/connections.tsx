import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { nameOf } from '../model/recipient-name';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { ActionStatus } from '../parts/action-status';
import { Empty } from '../parts/empty';
import { Panel } from '../parts/panel';
import { Party } from '../parts/party';

/** Shows which accounts this page is connected to, and changes or revokes the connection. */
export function Connections(): VNode {
  const { client, accounts } = useSession();
  const [version, setVersion] = useState(0);
  const action = useAction();
  const connected = useLookup(() => client.dapp('eth_accounts'), [client, version, accounts.length]);
  const isConnected = (connected.value ?? []).length > 0;
  const change = (work: () => Promise<unknown>): void => {
    action.run(async () => {
      await work();
      setVersion(version + 1);
    });
  };
  return (
    <>
      <h1>Connections</h1>
      <Panel id="this-page" title="This site">
        <p class="hint">{location.origin}</p>
        {connected.error === undefined ? null : <p class="status error">{connected.error}</p>}
        {connected.value?.length === 0 ? (
          <Empty title="No accounts connected">
            <p>Connect now, or sign or send something: Keystead asks you first.</p>
          </Empty>
        ) : (
          <ul class="plain" aria-label="Connected accounts">
            {connected.value?.map((address) => (
              <li key={address}>
                <Party address={address} name={nameOf(address, { accounts, contacts: [] })} />
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
              change(() =>
                isConnected
                  ? client.dapp('wallet_requestPermissions', [{ eth_accounts: {} }])
                  : client.dapp('eth_requestAccounts'),
              );
            }}
          >
            {isConnected ? 'Change accounts' : 'Connect'}
          </button>
          <button
            type="button"
            aria-disabled={action.isBusy}
            disabled={!isConnected}
            onClick={() => change(() => client.dapp('wallet_revokePermissions', [{ eth_accounts: {} }]))}
          >
            Disconnect
          </button>
        </div>
        <ActionStatus action={action} />
      </Panel>
      <Panel id="others" title="Other sites">
        <p>
          Sites cannot see each other’s connections. To see all of them and disconnect any, open Keystead in your
          wallet:{' '}
          {client.wallet.isSimulated
            ? 'press “Keystead” at the bottom of this page.'
            : 'in MetaMask, open Snaps, then Keystead.'}
        </p>
        {accounts.length === 0 ? <a href={linkTo('add-account')}>Create an account first</a> : null}
      </Panel>
    </>
  );
}
