import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { StorageClient } from '../../clients/storage';
import { useSession } from '../model/session';
import { type StorageSettings } from '../model/types';
import { counted } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionForm } from '../parts/action-form';
import { Copyable } from '../parts/copyable';
import { Field, valuesOf } from '../parts/field';
import { Panel } from '../parts/panel';

/** Text files of at most this many bytes are shown; others can only be downloaded. */
const MAX_SHOWN = 20_000;

function asText(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_SHOWN) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

type FileRead = {
  readonly cid: string;
  readonly size: number;
  readonly text: string | undefined;
  readonly href: string;
};

const settingsOf = ({ url = '', key = '', secret = '' }: Readonly<Record<string, string>>): StorageSettings => ({
  url,
  key,
  secret,
});

/** Adds files to the storage and reads them. This page verifies every byte against the CID. */
export function Files(): VNode {
  const { devnet } = useSession();
  const [settings, setSettings] = useState<StorageSettings>(devnet?.storage ?? { url: '', key: '', secret: '' });
  const [added, setAdded] = useState<string>();
  const [file, setFile] = useState<FileRead>();
  const reading = useAction();
  const client = (): StorageClient => {
    if (settings.url === '') throw new Error('Enter the storage URL first: open “Storage settings” above.');
    return new StorageClient(settings);
  };
  return (
    <>
      <h1>Files</h1>
      <details class="panel" open={settings.url === ''}>
        <summary>Storage settings</summary>
        <form class="form" onChange={(event) => setSettings(settingsOf(valuesOf(event.currentTarget)))}>
          <Field label="Storage URL" name="url" value={settings.url} placeholder="https://storage.example" />
          <div class="fields">
            <Field label="API key" name="key" value={settings.key} />
            <Field label="Secret" name="secret" value={settings.secret} secret hint="Kept until you close this page" />
          </div>
        </form>
      </details>
      <Panel id="add" title="Add a file">
        <ActionForm
          submit="Add"
          isMain
          below={added === undefined ? null : <Copyable label="CID" value={added} />}
          work={async (_values, entered) => {
            const chosen = entered.get('file') as File;
            setAdded(undefined);
            if (chosen.size === 0) throw new Error('Choose a file first.');
            const bytes = new Uint8Array(await chosen.arrayBuffer());
            const { cid } = await client().add(bytes, { name: chosen.name });
            setAdded(cid);
            return `Added and pinned ${chosen.name}.`;
          }}
        >
          <div class="field">
            <label for="file">File</label>
            <input id="file" name="file" type="file" required />
          </div>
        </ActionForm>
      </Panel>
      <Panel id="read" title="Read a file">
        <ActionForm
          action={reading}
          submit="Read"
          beside={
            file === undefined ? null : (
              <a class="button" href={file.href} download={file.cid.split('/').at(-1)}>
                Download
              </a>
            )
          }
          below={file?.text === undefined ? null : <Copyable label="Content" value={file.text} />}
          work={async ({ cid = '' }) => {
            setFile(undefined);
            const bytes = await client().read(cid);
            const href = URL.createObjectURL(new Blob([new Uint8Array(bytes)]));
            setFile({ cid, size: bytes.length, text: asText(bytes), href });
            return `Read ${counted(bytes.length, 'byte')}, verified against the CID.`;
          }}
        >
          <Field
            label="CID, with an optional path"
            name="cid"
            value={added ?? ''}
            key={added}
            placeholder="bafy… or Qm…"
          />
        </ActionForm>
      </Panel>
    </>
  );
}
