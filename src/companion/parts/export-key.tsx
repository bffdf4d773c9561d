import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { isImported } from '../model/account-name';
import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';
import { Copyable } from './copyable';

/** Shows an account's private key until the section is closed. The wallet asks first. */
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
        Export private key<span class="visually-hidden"> of {account.name}</span>
      </summary>
      <div class="form">
        <p class="warning">
          Anyone with this key controls{' '}
          {account.type === 'eip155:erc4337' ? 'the smart account that it owns' : 'this account'} for good. Nobody who
          helps you needs it. This page receives the key and shows it: make sure that nobody can see your screen, and
          keep no copy that others can read.{' '}
          {isImported(account)
            ? 'Your recovery phrase does not restore this account, so keep one copy somewhere safe.'
            : 'You do not need a copy: your recovery phrase restores this account.'}
        </p>
        <div class="actions">
          {key === undefined ? (
            <ActionButton
              action={action}
              class="danger"
              work={async () => {
                const { privateKey } = await client.keyring('keyring_exportAccount', {
                  id: account.id,
                });
                setKey(privateKey);
              }}
            >
              Show private key
            </ActionButton>
          ) : (
            <button type="button" onClick={hide}>
              Hide
            </button>
          )}
        </div>
        <ActionStatus action={action} />
        {key === undefined ? null : <Copyable label="Private key" value={key} />}
      </div>
    </details>
  );
}
