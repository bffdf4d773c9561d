import { type VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { ACCOUNT_VERSIONS } from '../../core/erc4337/entry-points';
import { useSession } from '../model/session';
import { linkTo } from '../model/route';
import { type Account } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Choice, Field, valuesOf } from './field';

const DEFAULT_VERSION = '0.7';

const SAFE = 'safe-0.7';

/**
 * @param kind - `eoa`, `safe-0.7`, or the entry point version of a SimpleAccount.
 * @returns The options of `keyring_createAccount`.
 */
function optionsFor(kind: string, chainId: string): Record<string, string> {
  if (kind === 'eoa') return { type: 'eip155:eoa' };
  return { type: 'eip155:erc4337', chainId, ...(kind === SAFE ? { kind } : { entryPointVersion: kind }) };
}

/** Creates accounts from the recovery phrase, or imports a private key. */
export function CreateAccount(): VNode {
  const { client, chains, refresh } = useSession();
  const creating = useAction();
  const importing = useAction();
  // The error about a missing network is out of date once there is one.
  useEffect(creating.forget, [chains.length]);

  const create = async (options: Record<string, string>, how: string): Promise<string> => {
    const { address } = await client.keyring<Account>('keyring_createAccount', { options });
    await refresh();
    return `${how} ${address}.`;
  };
  const kinds = (
    <>
      <option value="eoa">Account (externally owned)</option>
      {ACCOUNT_VERSIONS.map((version) => (
        <option key={version} value={version}>
          Smart account, entry point {version}
        </option>
      ))}
      <option value={SAFE}>Safe, entry point 0.7</option>
    </>
  );
  const chainChoice = (
    <Choice label="Network of a smart account" name="chainId">
      {chains.length === 0 ? <option value="">No networks yet</option> : null}
      {chains.map(({ chainId }) => (
        <option key={chainId} value={chainId}>
          {chainId}
        </option>
      ))}
    </Choice>
  );
  const read = (form: HTMLFormElement): Record<string, string> => {
    const { kind = 'eoa', chainId = '' } = valuesOf(form);
    if (kind !== 'eoa' && chainId === '') throw new Error('Add a network first: a smart account belongs to one.');
    return optionsFor(kind, chainId);
  };
  return (
    <section class="panel" aria-labelledby="create">
      <h2 id="create">New account</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          creating.run(async () => create(read(form), 'Created'));
        }}
      >
        <div class="fields">
          <Choice label="Account type" name="kind">
            {kinds}
          </Choice>
          {chainChoice}
        </div>
        <div class="actions">
          <button type="submit" class="main" aria-disabled={creating.isBusy}>
            Create account
          </button>
          {chains.length === 0 ? <a href={linkTo('settings')}>Add a network to create smart accounts</a> : null}
        </div>
        <ActionStatus action={creating} />
      </form>
      <details>
        <summary>Import a private key</summary>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            const form = event.currentTarget;
            importing.run(async () => {
              const message = await create({ ...read(form), privateKey: valuesOf(form).privateKey ?? '' }, 'Imported');
              form.reset();
              return message;
            });
          }}
        >
          <Field
            label="Private key"
            name="privateKey"
            secret
            hint="0x followed by 64 hex digits. Do not use a key that holds real funds. Your recovery phrase does not restore imported accounts."
          />
          <div class="fields">
            <Choice label="Account type" name="kind" value="eoa">
              {kinds}
            </Choice>
            {chainChoice}
          </div>
          <div class="actions">
            <button type="submit" aria-disabled={importing.isBusy}>
              Import
            </button>
          </div>
          <ActionStatus action={importing} />
        </form>
      </details>
      <p class="hint">
        Most bundlers support entry point {DEFAULT_VERSION}. Among smart accounts, only a Safe can sign messages.
      </p>
    </section>
  );
}
