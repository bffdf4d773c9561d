import { Box, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { visible } from '../../explain/text';
import { type StorageSettings } from '../../wire/storage-settings';
import { OriginRow, Warning } from '../parts';

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
export const SetStorageScreen = ({ before, after, origin }: Props): JSXElement => {
  const settings = [
    { label: 'Address', old: before?.url, fresh: after.url },
    { label: 'Key', old: before?.key, fresh: after.key },
  ];
  return (
    <Box>
      <Heading>{before === undefined ? 'Set up the storage' : 'Change the storage'}</Heading>
      <OriginRow origin={origin} />
      <Divider />
      {settings.map(({ label, old, fresh }) => (
        <Box>
          <Text>{old === undefined || old === fresh ? label : `${label} (changed)`}</Text>
          {old === undefined || old === fresh ? null : <Text>{`Old: ${visible(old)}`}</Text>}
          <Text>{old === undefined || old === fresh ? visible(fresh) : `New: ${visible(fresh)}`}</Text>
        </Box>
      ))}
      <Text>{`Secret: ${secretLine(before, after)}`}</Text>
      <Divider />
      <Warning
        title="Your backups go there"
        text="They are encrypted, and this service cannot read them, but it can lose them. If you approve, Keystead tries the key and the secret there before it keeps them."
      />
    </Box>
  );
};
