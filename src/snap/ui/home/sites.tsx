import { Box, Button, Divider, Heading, type JSXElement, Section, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { batchRows, type ShownBatch } from '../calls-status';
import { AddressRow, OriginRow } from '../parts';

/** What the names of the buttons begin with, or are. */
export const DISCONNECT = 'disconnect:';
export const LOOK_UP = 'look-up';

/** A page holds no more; the rest is counted. All sites are on it: each must have its button. */
const MAX_ADDRESSES = 20;
const MAX_BATCHES = 10;

/** A site that is connected, and the accounts that it may use. */
export type HomeSite = { readonly origin: string; readonly addresses: readonly Hex[] };

const more = (count: number): JSXElement | null => (count > 0 ? <Text>{`and ${count} more`}</Text> : null);

/** The sites that may use accounts, each with a button to end that; nothing if there are none. */
export const siteSections = (sites: readonly HomeSite[]): JSXElement | null =>
  sites.length === 0 ? null : (
    <Box>
      <Divider />
      <Heading>Connected sites</Heading>
      {sites.map(({ origin, addresses }) => (
        <Section>
          <OriginRow origin={origin} />
          {addresses.slice(0, MAX_ADDRESSES).map((address) => (
            <AddressRow label="May use" address={address} />
          ))}
          {more(addresses.length - MAX_ADDRESSES)}
          <Button name={`${DISCONNECT}${origin}`}>Disconnect</Button>
        </Section>
      ))}
    </Box>
  );

/** What sites have sent lately, and what became of it; nothing if there is none. */
export const batchSections = (batches: readonly ShownBatch[]): JSXElement | null =>
  batches.length === 0 ? null : (
    <Box>
      <Divider />
      <Heading>Sent by sites</Heading>
      {batches.slice(0, MAX_BATCHES).map((batch) => (
        <Box>
          {batchRows(batch)}
          <Divider />
        </Box>
      ))}
      {more(batches.length - MAX_BATCHES)}
      <Button name={LOOK_UP}>Look up what became of it</Button>
    </Box>
  );
