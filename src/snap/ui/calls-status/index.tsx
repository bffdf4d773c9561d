import { Box, Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, OriginRow, TextRow } from '../parts';

/** The status codes of EIP-5792. */
const MEANINGS = {
  100: 'Pending.',
  200: 'Confirmed.',
  400: 'Not included, and can no longer be.',
  500: 'Failed. Only the network fee was paid.',
  600: 'Partly failed.',
  unclear: 'Unknown. There was no answer when it was sent, so it may still be carried out.',
};

/** A batch of calls that a site sent, with its status. */
export type ShownBatch = {
  readonly origin: string;
  readonly account: Hex;
  readonly chainId: string;
  readonly calls: number;
  readonly status: 100 | 200 | 400 | 500 | 600;
  readonly sent: { readonly isUnclear?: boolean } & (
    | { readonly as: 'operation'; readonly hash: Hex }
    | { readonly as: 'transactions'; readonly items: readonly { readonly hash: Hex }[] }
  );
  readonly receipts?: readonly { readonly transactionHash: Hex }[];
};

const hashesOf = ({ sent }: ShownBatch): Hex[] =>
  sent.as === 'operation' ? [sent.hash] : sent.items.map(({ hash }) => hash);

/** The rows of one batch, on its own screen and on the home page. */
export const batchRows = (batch: ShownBatch): JSXElement => (
  <Box>
    <TextRow
      label="Status"
      text={MEANINGS[batch.status === 100 && batch.sent.isUnclear === true ? 'unclear' : batch.status]}
    />
    <OriginRow origin={batch.origin} />
    <AddressRow label="Account" address={batch.account} />
    <TextRow label="Network" text={batch.chainId} />
    <TextRow label="Calls" text={String(batch.calls)} />
    {hashesOf(batch).map((hash) => (
      <TextRow label={batch.sent.as === 'operation' ? 'User operation' : 'Transaction'} text={hash} />
    ))}
    {batch.sent.as === 'operation' && batch.receipts?.[0] !== undefined ? (
      <TextRow label="Transaction" text={batch.receipts[0].transactionHash} />
    ) : null}
  </Box>
);

/** The status of a batch of calls, at a site's request (`wallet_showCallsStatus`). */
export const CallsStatusScreen = (batch: ShownBatch): JSXElement => (
  <Box>
    <Heading>Status of your calls</Heading>
    {batchRows(batch)}
  </Box>
);
