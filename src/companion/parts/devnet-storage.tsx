import { type VNode } from 'preact';

import { useSession } from '../model/session';
import { unusedStorage } from '../model/set-up';
import { ActionLine } from './action-button';

/** Offers the storage service of a devnet. Nothing if there is none, or if Keystead uses it. */
export function DevnetStorage(): VNode | null {
  const { client, devnet, storage, refresh } = useSession();
  const offered = unusedStorage(devnet, storage);
  if (offered === undefined) return null;
  return (
    <>
      <ActionLine
        work={async () => {
          await client.dapp('keystead_setStorage', offered);
          await refresh();
        }}
      >
        Use the development storage
      </ActionLine>
    </>
  );
}
