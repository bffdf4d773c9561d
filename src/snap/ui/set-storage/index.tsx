import { Box, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type StorageSettings } from '../../../core/schemas/storage-settings';
import { OriginRow, settingRows, Warning } from '../parts';

type Props = {
  readonly before: StorageSettings | undefined;
  readonly after: StorageSettings;
  readonly origin: string;
};

/** Only whether it changes: a secret is on no screen. */
function secretLine(before: StorageSettings | undefined, { secret }: StorageSettings): string {
  if (before === undefined) return 'given, not shown';
  return before.secret === secret ? 'stays as it is' : 'changed, not shown';
}

/** Before a storage service is set up or changed: every setting, old and new. */
export const SetStorageScreen = ({ before, after, origin }: Props): JSXElement => (
  <Box>
    <Heading>{before === undefined ? 'Set up the storage' : 'Change the storage'}</Heading>
    <OriginRow origin={origin} />
    <Divider />
    {settingRows('Address', before?.url, after.url)}
    {settingRows('Key', before?.key, after.key)}
    <Text>{`Secret: ${secretLine(before, after)}`}</Text>
    <Divider />
    <Warning
      title="Your backups go there"
      text="They are encrypted, and this service cannot read them, but it can lose them. If you approve, Keystead tries the key and the secret there before it keeps them."
    />
  </Box>
);
