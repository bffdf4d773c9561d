import { type VNode } from 'preact';

import { ACCOUNT_VERSIONS } from '../../core/erc4337/entry-points';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from '../parts/action-status';
import { ChainList } from '../parts/chain-list';
import { Choice, Field, valuesOf } from '../parts/field';
import { SetUp } from '../parts/set-up';

const filled = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** The chains and the storage that the snap uses. Each change is shown by the snap, and asks. */
export function Settings(): VNode {
  const { client, storage, refresh } = useSession();
  const setting = useAction();
  const storing = useAction();
  return (
    <>
      <h1>Settings</h1>
      <SetUp />
      <section class="panel" aria-labelledby="chains">
        <h2 id="chains">Chains</h2>
        <ChainList />
        <details>
          <summary>Set a chain up</summary>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              const values = filled(valuesOf(event.currentTarget));
              setting.run(async () => {
                await client.dapp('keystead_setChain', values);
                await refresh();
                return 'The chain is set up.';
              });
            }}
          >
            <Field label="Chain" name="chainId" placeholder="eip155:11155111" hint="eip155: and the chain’s number" />
            <Field label="Node" name="rpcUrl" placeholder="https://…" hint="https, or http on this machine" />
            <Field label="Bundler" name="bundlerUrl" placeholder="https://…" hint="ERC-7769, of the same chain" />
            <div class="fields">
              <Choice label="Entry point" name="entryPointVersion" value="0.7">
                {ACCOUNT_VERSIONS.map((version) => (
                  <option key={version} value={version}>
                    {version}
                  </option>
                ))}
              </Choice>
              <Field
                label="Paymaster service"
                name="paymasterUrl"
                required={false}
                placeholder="https://…"
                hint="ERC-7677, if any"
              />
            </div>
            <div class="actions">
              <button type="submit" class="main" aria-disabled={setting.isBusy}>
                Set up
              </button>
            </div>
            <ActionStatus action={setting} />
          </form>
        </details>
      </section>
      <section class="panel" aria-labelledby="storage">
        <h2 id="storage">Storage</h2>
        <p>{storage === null ? 'None is set up. Backups need one.' : `${storage.url}, with the key ${storage.key}`}</p>
        <details>
          <summary>Set the storage up</summary>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              const values = valuesOf(event.currentTarget);
              storing.run(async () => {
                await client.dapp('keystead_setStorage', values);
                await refresh();
                return 'The storage is set up.';
              });
            }}
          >
            <Field label="Address" name="url" placeholder="https://storage.example" />
            <div class="fields">
              <Field label="API key" name="key" />
              <Field
                label="Secret"
                name="secret"
                secret
                hint="Goes into the wallet’s encrypted storage, and never comes out"
              />
            </div>
            <div class="actions">
              <button type="submit" class="main" aria-disabled={storing.isBusy}>
                Set up
              </button>
            </div>
            <ActionStatus action={storing} />
          </form>
        </details>
      </section>
    </>
  );
}
