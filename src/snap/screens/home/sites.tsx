import { Box, Button, Divider, Heading, type JSXElement, Section, Text } from '@metamask/snaps-sdk/jsx';

import { batchRows, type ShownBatch } from '../calls-status';
import { OriginRow, TextRow } from '../parts';

/** The prefix of a button's name; the site's origin follows. */
export const DISCONNECT = 'disconnect:';
/** The name of a button. */
export const LOOK_UP = 'look-up';

/** The prefixes of buttons' names; the hash of what is pending follows. */
export const SPEED_UP = 'speed-up:';
export const CANCEL = 'cancel:';

/** A page shows no more; further ones are counted. All sites are shown, since each needs its button. */
const MAX_NAMES = 20;
const MAX_BATCHES = 10;

/** A connected site, and the accounts that it may use. */
export type HomeSite = {
  readonly origin: string;
  readonly accounts: readonly string[];
};

/** The accounts by name. Their addresses are at the top of the page. */
const accountsInWords = (names: readonly string[]): string =>
  `${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''}`;

const more = (count: number): JSXElement | null => (count > 0 ? <Text>{`and ${count} more`}</Text> : null);

/** The connected sites, each with a button to disconnect it; nothing if there are none. */
export const siteSections = (sites: readonly HomeSite[]): JSXElement | null =>
  sites.length === 0 ? null : (
    <Box>
      <Divider />
      <Heading>Connected sites</Heading>
      {sites.map(({ origin, accounts }) => (
        <Section>
          <OriginRow origin={origin} />
          <TextRow label="Accounts" text={accountsInWords(accounts)} />
          <Button name={`${DISCONNECT}${origin}`} variant="destructive">
            Disconnect
          </Button>
        </Section>
      ))}
    </Box>
  );

/** The latest calls that sites have sent, with their status; nothing if there are none. */
export const batchSections = (title: string, batches: readonly ShownBatch[]): JSXElement | null =>
  batches.length === 0 ? null : (
    <Box>
      <Divider />
      <Heading>{title}</Heading>
      {batches.slice(0, MAX_BATCHES).map((batch) => (
        <Section>
          {batchRows(batch)}
          {batch.replaceable.map((hash) => (
            <Box>
              <Button name={`${SPEED_UP}${hash}`}>Speed up</Button>
              <Button name={`${CANCEL}${hash}`} variant="destructive">
                Cancel it
              </Button>
            </Box>
          ))}
        </Section>
      ))}
      {more(batches.length - MAX_BATCHES)}
      <Button name={LOOK_UP}>Check status</Button>
    </Box>
  );
