import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { useAction } from '../model/use-action';
import { linkTo } from '../model/route';
import { counted } from '../model/units';
import { ActionStatus } from '../parts/action-status';
import { Copyable } from '../parts/copyable';
import { Empty } from '../parts/empty';
import { Field, valuesOf } from '../parts/field';

type BackedUp = { readonly cid: string; readonly size: number; readonly accounts: number; readonly createdAt: string };
type Restored = {
  readonly accounts: readonly Account[];
  readonly chains: number;
  readonly skipped: readonly { readonly what: string; readonly reason: string }[];
};

const accountsAnd = (accounts: number, chains: number): string =>
  [...(accounts > 0 ? [counted(accounts, 'account')] : []), ...(chains > 0 ? [counted(chains, 'chain')] : [])].join(
    ' and ',
  );

/** What a backup brought, and what of it was here before. */
function sentenceFor(
  { accounts, chains }: Restored,
  added: { readonly accounts: number; readonly chains: number },
): string {
  const here = accountsAnd(accounts.length - added.accounts, chains - added.chains);
  const brought = accountsAnd(added.accounts, added.chains);
  if (brought === '') return here === '' ? 'Nothing was added.' : `Nothing was missing. Here already: ${here}.`;
  return `Added ${brought}.${here === '' ? '' : ` Here already: ${here}.`}`;
}

const LAST = 'keystead.last-backup';

/** Backs up what the recovery phrase does not bring back, encrypted, and restores it. */
export function Backup(): VNode {
  const { client, storage, refresh } = useSession();
  const [cid, setCid] = useState(localStorage.getItem(LAST) ?? undefined);
  const backing = useAction();
  const restoring = useAction();
  if (storage === null)
    return (
      <>
        <h1>Backup</h1>
        <Empty title="No storage is set up in Keystead">
          <p>A backup is a file in a storage, and needs one.</p>
          <a class="button" href={linkTo('settings')}>
            Set the storage up
          </a>
        </Empty>
      </>
    );
  return (
    <>
      <h1>Backup</h1>
      <section class="panel" aria-labelledby="back-up">
        <h2 id="back-up">Back up</h2>
        <p>
          Accounts, imported keys and chains, encrypted with a key of your recovery phrase and kept at{' '}
          <strong>{storage.url}</strong>.
        </p>
        <div class="actions">
          <button
            type="button"
            class="main"
            aria-disabled={backing.isBusy}
            onClick={() => {
              backing.run(async () => {
                const done = await client.dapp<BackedUp>('keystead_backUp');
                localStorage.setItem(LAST, done.cid);
                setCid(done.cid);
                return `Backed up ${counted(done.accounts, 'account')} in ${done.size} bytes.`;
              });
            }}
          >
            Back up now
          </button>
        </div>
        <ActionStatus action={backing} />
        {cid === undefined ? null : (
          <>
            <p>
              Keep this CID of the last backup made here. With it, and the recovery phrase that the wallet had then, you
              get everything back:
            </p>
            <Copyable label="CID of the backup" value={cid} />
          </>
        )}
      </section>
      <section class="panel" aria-labelledby="restore">
        <h2 id="restore">Restore</h2>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            const { cid: wanted = '' } = valuesOf(event.currentTarget);
            restoring.run(async () => {
              const before = await refresh();
              const restored = await client.dapp<Restored>('keystead_restore', { cid: wanted });
              const after = await refresh();
              const left = restored.skipped.map(({ what, reason }) => ` Left out: ${what}. ${reason}`).join('');
              const had = new Set(before.accounts.map(({ id }) => id));
              const added = {
                accounts: restored.accounts.filter(({ id }) => !had.has(id)).length,
                chains: after.chains.length - before.chains.length,
              };
              return `${sentenceFor(restored, added)}${left}`;
            });
          }}
        >
          <Field label="CID of the backup" name="cid" placeholder="bafy…" />
          <div class="actions">
            <button type="submit" aria-disabled={restoring.isBusy}>
              Restore
            </button>
          </div>
          <ActionStatus action={restoring} />
        </form>
      </section>
    </>
  );
}
