import { type VNode } from 'preact';

import { ACCOUNT_VERSIONS } from '../../core/erc4337/entry-points';
import { useSession } from '../model/session';
import { chainIdOf } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionStatus } from '../parts/action-status';
import { ChainList } from '../parts/chain-list';
import { DevnetStorage } from '../parts/devnet-storage';
import { Facts } from '../parts/facts';
import { Choice, Field, valuesOf } from '../parts/field';
import { SetUp } from '../parts/set-up';

/** Drops the fields that were left empty. */
const withoutEmpty = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Changes the networks and the storage that the snap uses. The snap shows each change and asks first. */
export function Settings(): VNode {
  const { client, storage, refresh } = useSession();
  const savingNetwork = useAction();
  const savingStorage = useAction();
  return (
    <>
      <h1>Settings</h1>
      <SetUp />
      <section class="panel" aria-labelledby="networks">
        <h2 id="networks">Networks</h2>
        <ChainList />
        <details>
          <summary>Add a network</summary>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              const values = withoutEmpty(valuesOf(event.currentTarget));
              savingNetwork.run(async () => {
                await client.dapp('keystead_setChain', { ...values, chainId: chainIdOf(values.chainId ?? '') });
                await refresh();
                return 'Network saved.';
              });
            }}
          >
            <Field
              label="Chain ID"
              name="chainId"
              placeholder="11155111"
              hint="The network’s number, such as 1 for Ethereum"
            />
            <Field label="RPC URL" name="rpcUrl" placeholder="https://…" hint="https, or http on this machine" />
            <Field
              label="Bundler URL"
              name="bundlerUrl"
              required={false}
              placeholder="https://…"
              hint="ERC-7769, on the same network; smart accounts cannot send without one"
            />
            <div class="fields">
              <Choice label="Entry point" name="entryPointVersion" value="0.7">
                {ACCOUNT_VERSIONS.map((version) => (
                  <option key={version} value={version}>
                    {version}
                  </option>
                ))}
              </Choice>
              <Field
                label="Paymaster URL"
                name="paymasterUrl"
                required={false}
                placeholder="https://…"
                hint="ERC-7677, optional"
              />
            </div>
            <div class="fields">
              <Field
                label="Network name"
                name="name"
                required={false}
                hint="Optional; public networks that Keystead knows keep their names"
              />
              <Field label="Currency symbol" name="symbol" required={false} placeholder="ETH" hint="Optional" />
            </div>
            <Field label="Block explorer" name="explorerUrl" required={false} placeholder="https://…" hint="Optional" />
            <div class="actions">
              <button type="submit" class="main" aria-disabled={savingNetwork.isBusy}>
                Add network
              </button>
            </div>
            <ActionStatus action={savingNetwork} />
          </form>
        </details>
      </section>
      <section class="panel" aria-labelledby="storage">
        <h2 id="storage">Storage</h2>
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
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              const values = valuesOf(event.currentTarget);
              savingStorage.run(async () => {
                await client.dapp('keystead_setStorage', values);
                await refresh();
                return 'Storage saved.';
              });
            }}
          >
            <Field label="Storage URL" name="url" placeholder="https://storage.example" />
            <div class="fields">
              <Field label="API key" name="key" />
              <Field label="Secret" name="secret" secret hint="Stored encrypted in the wallet, and never shown again" />
            </div>
            <div class="actions">
              <button type="submit" class="main" aria-disabled={savingStorage.isBusy}>
                Save storage
              </button>
            </div>
            <ActionStatus action={savingStorage} />
          </form>
        </details>
      </section>
    </>
  );
}
