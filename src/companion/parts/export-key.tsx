import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { describeAccount, isImported } from '../model/describe-account';
import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Copyable } from './copyable';

/** Shows an account's private key, until it is closed; the wallet asks first. */
export function ExportKey({ account }: { readonly account: Account }): VNode {
  const { client } = useSession();
  const [key, setKey] = useState<string>();
  const action = useAction();
  const hide = (): void => {
    setKey(undefined);
    action.forget();
  };
  return (
    <details
      onToggle={({ currentTarget }) => {
        if (!currentTarget.open) hide();
      }}
    >
      <summary>
        Export the private key<span class="visually-hidden"> of {describeAccount(account)}</span>
      </summary>
      <div class="form">
        <p class="warning">
          Whoever has this key has{' '}
          {account.type === 'eip155:erc4337' ? 'the smart account that it owns' : 'the account'}, for good. Nobody who
          helps you needs it. It is handed to this page, which shows it: see that nobody watches your screen, and keep
          no copy that others can read.{' '}
          {isImported(account)
            ? 'Your recovery phrase does not bring this account back, so one safe copy is worth having.'
            : 'You need no copy to get this account back: your recovery phrase does that.'}
        </p>
        <div class="actions">
          {key === undefined ? (
            <button
              type="button"
              class="danger"
              aria-disabled={action.isBusy}
              onClick={() => {
                action.run(async () => {
                  const { privateKey } = await client.keyring<{ privateKey: string }>('keyring_exportAccount', {
                    id: account.id,
                  });
                  setKey(privateKey);
                  return undefined;
                });
              }}
            >
              Show the private key
            </button>
          ) : (
            <button type="button" onClick={hide}>
              Hide it
            </button>
          )}
        </div>
        <ActionStatus action={action} />
        {key === undefined ? null : <Copyable label="Private key" value={key} />}
      </div>
    </details>
  );
}
