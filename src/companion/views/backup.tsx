import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { base64OfBytes, bytesOfBase64 } from '../../core/eth/base64';
import { type BackedUp, type Restored } from '../../core/methods/results';
import { keepDrill } from '../model/drills';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { linkTo } from '../model/route';
import { counted } from '../model/units';
import { ActionButton } from '../parts/action-button';
import { ActionForm } from '../parts/action-form';
import { ActionStatus } from '../parts/action-status';
import { Copyable } from '../parts/copyable';
import { DevnetStorage } from '../parts/devnet-storage';
import { Empty } from '../parts/empty';
import { Field } from '../parts/field';
import { PageTokens } from '../parts/page-tokens';
import { Panel } from '../parts/panel';

const listCounts = (accounts: number, chains: number): string =>
  [...(accounts > 0 ? [counted(accounts, 'account')] : []), ...(chains > 0 ? [counted(chains, 'network')] : [])].join(
    ' and ',
  );

/** Says what a restore added, and what the snap already had. */
function summaryOf(
  { accounts, chains }: Restored,
  added: { readonly accounts: number; readonly chains: number },
): string {
  const existing = listCounts(accounts.length - added.accounts, chains - added.chains);
  const restored = listCounts(added.accounts, added.chains);
  if (restored === '')
    return existing === '' ? 'Nothing was added.' : `Nothing was missing. Already here: ${existing}.`;
  return `Added ${restored}.${existing === '' ? '' : ` Already here: ${existing}.`}`;
}

/** @returns The content of a chosen file in base64. @throws If no file was chosen. */
async function base64Of(file: File): Promise<string> {
  if (file.size === 0) throw new Error('Backup file: choose a file first.');
  return base64OfBytes(new Uint8Array(await file.arrayBuffer()));
}

/** Restores a backup from its CID or from a file, and says what was added. */
function useRestore(): (params: { readonly cid: string } | { readonly file: string }) => Promise<string> {
  const { client, refresh } = useSession();
  return async (params) => {
    const before = await refresh();
    const restored = await client.dapp('keystead_restore', params);
    keepDrill('backup');
    const after = await refresh();
    const skipped = restored.skipped.map(({ what, reason }) => ` Skipped: ${what}. ${reason}`).join('');
    const existingIds = new Set(before.accounts.map(({ id }) => id));
    const added = {
      accounts: restored.accounts.filter(({ id }) => !existingIds.has(id)).length,
      chains: after.chains.length - before.chains.length,
    };
    return `${summaryOf(restored, added)}${skipped}`;
  };
}

type Download = { readonly href: string; readonly name: string };

/** @returns A link to the encrypted file, and the name that it is saved under. */
const downloadOf = ({ file = '' }: BackedUp): Download => ({
  href: URL.createObjectURL(new Blob([bytesOfBase64(file)])),
  name: `backup-${new Date().toISOString().slice(0, 10)}.keystead`,
});

/** Makes a backup, and offers the file. */
function BackUpButton({
  label,
  backUp,
}: {
  readonly label: string;
  readonly backUp: () => Promise<readonly [BackedUp, string]>;
}): VNode {
  const action = useAction();
  const [download, setDownload] = useState<Download>();
  return (
    <>
      <div class="actions">
        <ActionButton
          action={action}
          class="main"
          work={async () => {
            const [done, text] = await backUp();
            setDownload(downloadOf(done));
            return text;
          }}
        >
          {label}
        </ActionButton>
        {download === undefined ? null : (
          <a class="button" href={download.href} download={download.name}>
            Download the file
          </a>
        )}
      </div>
      <ActionStatus action={action} />
    </>
  );
}

/** Saves a backup as a file. It needs no storage service. */
function SaveFile(): VNode {
  const { client } = useSession();
  return (
    <Panel id="save-file" title="Save as a file">
      <p>
        Encrypts your accounts, imported keys, networks, contacts and tokens with a key from your recovery phrase. Keep
        the file and the phrase: to restore it, you need both.
      </p>
      <BackUpButton
        label="Make a backup file"
        backUp={async () => {
          const done = await client.dapp('keystead_backUp', { onlyFile: true });
          return [done, `Encrypted ${counted(done.accounts, 'account')}. Download the file now.`];
        }}
      />
    </Panel>
  );
}

/** Restores from a file that was downloaded here. It needs no storage service. */
function RestoreFile(): VNode {
  const restore = useRestore();
  return (
    <Panel id="restore-file" title="Restore from a file">
      <ActionForm
        submit="Restore file"
        work={async (_values, entered) => {
          const chosen = entered.get('file') as File;
          return restore({ file: await base64Of(chosen) });
        }}
      >
        <div class="field">
          <label for="backup-file">Backup file</label>
          <input id="backup-file" name="file" type="file" accept=".keystead" required />
        </div>
      </ActionForm>
    </Panel>
  );
}

/** The name under which this page remembers the CID of its latest backup. */
const LAST_BACKUP = 'keystead.last-backup';

/** Makes encrypted backups of what the recovery phrase does not restore, and restores them. */
export function Backup(): VNode {
  const { client, storage } = useSession();
  const restore = useRestore();
  const [cid, setCid] = useState(localStorage.getItem(LAST_BACKUP) ?? undefined);
  const restoring = useAction();
  if (storage === null)
    return (
      <>
        <h1>Backup</h1>
        <PageTokens />
        <SaveFile />
        <RestoreFile />
        <Empty title="No storage service" next={['Set up storage', linkTo('settings')]}>
          <p>A storage service keeps the encrypted file for you. Tell Keystead which one to use.</p>
          <DevnetStorage />
        </Empty>
      </>
    );
  return (
    <>
      <h1>Backup</h1>
      <PageTokens />
      <Panel id="back-up" title="Back up">
        <p>
          Encrypts your accounts, imported keys, networks, contacts and tokens with a key from your recovery phrase, and
          stores them at <strong>{storage.url}</strong>.
        </p>
        <BackUpButton
          label="Back up now"
          backUp={async () => {
            const done = await client.dapp('keystead_backUp', { withFile: true });
            if (done.cid !== undefined) localStorage.setItem(LAST_BACKUP, done.cid);
            setCid(done.cid);
            return [done, `Backed up ${counted(done.accounts, 'account')} (${counted(done.size, 'byte')}).`];
          }}
        />
        <DevnetStorage />
        {cid === undefined ? null : (
          <>
            <p>
              Keep the CID of the latest backup made here. To restore everything, you need it and the recovery phrase
              that the wallet had at the time:
            </p>
            <Copyable label="CID of the backup" value={cid} />
          </>
        )}
      </Panel>
      <Panel id="restore" title="Restore">
        <ActionForm action={restoring} submit="Restore" work={({ cid: wanted = '' }) => restore({ cid: wanted })}>
          <Field label="CID of the backup" name="cid" placeholder="bafy…" />
        </ActionForm>
      </Panel>
      <SaveFile />
      <RestoreFile />
    </>
  );
}
