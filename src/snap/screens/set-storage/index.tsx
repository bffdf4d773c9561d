import { Divider, Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type StorageSettings } from '../../../core/schemas/storage-settings';
import { OriginRow, Screen, settingRows, TextRow, Warning } from '../parts';

type Props = {
  readonly before: StorageSettings | undefined;
  readonly after: StorageSettings;
  readonly origin: string;
};

/** Says whether the secret changes. The secret itself is never shown. */
function secretLine(before: StorageSettings | undefined, { secret }: StorageSettings): string {
  if (before === undefined) return 'set, not shown';
  return before.secret === secret ? 'unchanged' : 'changed, not shown';
}

/** Asks before a storage service is added or changed. Shows every setting, old and new. */
export const SetStorageScreen = ({ before, after, origin }: Props): JSXElement => (
  <Screen>
    <Heading>{before === undefined ? 'Add a storage service' : 'Change the storage service'}</Heading>
    <OriginRow origin={origin} />
    <Divider />
    {settingRows('URL', before?.url, after.url)}
    {settingRows('Access key', before?.key, after.key)}
    <TextRow label="Secret access key" text={secretLine(before, after)} />
    <Divider />
    <Warning
      title="Your backups will be stored there"
      text="They are encrypted, so this service cannot read them, but it can lose them. If you approve, Keystead tests both keys before it saves them."
    />
  </Screen>
);
