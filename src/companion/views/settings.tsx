import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { type StorageSettings } from '../model/types';
import { ActionForm } from '../parts/action-form';
import { ChainList } from '../parts/chain-list';
import { DevnetStorage } from '../parts/devnet-storage';
import { Facts } from '../parts/facts';
import { Field } from '../parts/field';
import { NetworkForm } from '../parts/network-form';
import { Panel } from '../parts/panel';
import { SetUp } from '../parts/set-up';

/** Changes the networks and the storage that the snap uses. The snap shows each change and asks first. */
export function Settings(): VNode {
  const { client, storage, refresh } = useSession();
  return (
    <>
      <h1>Settings</h1>
      <SetUp />
      <Panel id="networks" title="Networks">
        <ChainList />
        <details>
          <summary>Add a network</summary>
          <NetworkForm />
        </details>
      </Panel>
      <Panel id="storage" title="Storage">
        {storage === null ? (
          <p>No storage yet. Set it up to make backups.</p>
        ) : (
          <Facts
            facts={[
              ['Storage URL', storage.url],
              ['API key', <code>{storage.key}</code>],
            ]}
          />
        )}
        <DevnetStorage />
        <details>
          <summary>Set up storage</summary>
          <ActionForm
            submit="Save storage"
            isMain
            work={async (values) => {
              await client.dapp('keystead_setStorage', values as StorageSettings);
              await refresh();
              return 'Storage saved.';
            }}
          >
            <Field label="Storage URL" name="url" placeholder="https://storage.example" />
            <div class="fields">
              <Field label="API key" name="key" />
              <Field label="Secret" name="secret" secret hint="Stored encrypted in the wallet, and never shown again" />
            </div>
          </ActionForm>
        </details>
      </Panel>
    </>
  );
}
