import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { unusedStorage } from '../model/set-up';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';

/** Offers the storage service of a devnet. Nothing if there is none, or if Keystead uses it. */
export function DevnetStorage(): VNode | null {
  const { client, devnet, storage, refresh } = useSession();
  const action = useAction();
  const offered = unusedStorage(devnet, storage);
  if (offered === undefined) return null;
  return (
    <>
      <div class="actions">
        <button
          type="button"
          aria-disabled={action.isBusy}
          onClick={() => {
            action.run(async () => {
              await client.dapp('keystead_setStorage', offered);
              await refresh();
            });
          }}
        >
          Use the development storage
        </button>
      </div>
      <ActionStatus action={action} />
    </>
  );
}
