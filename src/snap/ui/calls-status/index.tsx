import { Box, type GenericSnapElement, Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { type Network } from '../../../core/networks/network';
import { AddressRow, CopyRow, explorerRow, OriginRow, Screen, TextRow } from '../parts';

/** The status codes of EIP-5792. */
const MEANINGS = {
  100: 'Pending.',
  200: 'Confirmed.',
  400: 'Not included, and can no longer be.',
  500: 'Failed: it was included but reverted, so nothing was done. The network fee may still be charged.',
  600: 'Partly failed.',
  waiting: 'Waiting for the signatures of other owners. Nothing is sent until they have signed.',
  unclear: 'Unknown. There was no answer when it was sent, so it may still be carried out.',
  'nonce-used':
    'Unknown. Its nonce is used, but the network does not show by what. Before you send it again, check the recipients.',
  replaced: 'Not included. Something else used its nonce, so it can no longer be.',
  'no-answer': 'Pending when last known. The node does not answer.',
  'no-network': 'Pending when last known. The network is no longer set up in Keystead.',
};

/** A batch of calls that a site sent, with its status. */
export type ShownBatch = {
  readonly origin: string;
  readonly account: Hex;
  /** The account's one name; absent if the account was deleted. */
  readonly accountName?: string;
  readonly network: Network;
  readonly networkTitle: string;
  readonly calls: number;
  readonly status: 100 | 200 | 400 | 500 | 600;
  readonly remark?: 'nonce-used' | 'replaced' | 'no-answer' | 'no-network';
  readonly sent: { readonly isUnclear?: boolean } & (
    | { readonly as: 'operation'; readonly hash: Hex; readonly proposal?: object }
    | { readonly as: 'transactions'; readonly items: readonly { readonly hash: Hex }[] }
  );
  readonly receipts?: readonly { readonly transactionHash: Hex }[];
};

/** The transactions that carry the calls. A user operation's is known once it is included. */
const transactionsOf = ({ sent, receipts = [] }: ShownBatch): Hex[] =>
  sent.as === 'operation'
    ? receipts.slice(0, 1).map(({ transactionHash }) => transactionHash)
    : sent.items.map(({ hash }) => hash);

/** @returns The status of a batch in words. */
export function statusText({ status, remark, sent }: Pick<ShownBatch, 'status' | 'remark' | 'sent'>): string {
  if (remark !== undefined || status !== 100) return MEANINGS[remark ?? status];
  if (sent.as === 'operation' && sent.proposal !== undefined) return MEANINGS.waiting;
  return MEANINGS[sent.isUnclear === true ? 'unclear' : status];
}

/** The rows of one batch, on its own screen and on the home page. */
export const batchRows = (batch: ShownBatch): GenericSnapElement => (
  <Box>
    <TextRow label="Status" text={statusText(batch)} />
    <OriginRow origin={batch.origin} />
    {batch.accountName === undefined ? null : <TextRow label="Account" text={batch.accountName} />}
    <AddressRow label="Address" address={batch.account} />
    <TextRow label="Network" text={batch.networkTitle} />
    <TextRow label="Calls" text={String(batch.calls)} />
    {batch.sent.as === 'operation' ? <CopyRow label="User operation" hex={batch.sent.hash} /> : null}
    {transactionsOf(batch).map((hash) => (
      <Box>
        <CopyRow label="Transaction" hex={hash} />
        {explorerRow(batch.network, 'tx', hash)}
      </Box>
    ))}
  </Box>
);

/** The status of a batch of calls, at a site's request (`wallet_showCallsStatus`). */
export const CallsStatusScreen = (batch: ShownBatch): JSXElement => (
  <Screen>
    <Heading>Status of your calls</Heading>
    {batchRows(batch)}
  </Screen>
);
