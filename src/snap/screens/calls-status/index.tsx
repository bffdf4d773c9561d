import { Box, type GenericSnapElement, Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Progress } from '../../../core/calls/progress';
import { type Hex } from '../../../core/eth/bytes';
import { type Network } from '../../../core/networks/network';
import { AddressRow, CopyRow, explorerRow, OriginRow, Screen, TextRow } from '../parts';

/** A batch of calls that a site sent, with its status. */
export type ShownBatch = {
  readonly origin: string;
  readonly account: Hex;
  /** The account's one name; absent if the account was deleted. */
  readonly accountName?: string;
  readonly network: Network;
  readonly networkTitle: string;
  readonly calls: number;
  readonly progress: Progress;
  /** Other owners of the account have to sign first. */
  readonly isWaiting: boolean;
  /** The hashes under which it can be sped up or cancelled. */
  readonly replaceable: readonly Hex[];
  readonly sent:
    | { readonly as: 'operation'; readonly hash: Hex }
    | { readonly as: 'transactions'; readonly items: readonly { readonly hash: Hex }[] };
  readonly receipts?: readonly { readonly transactionHash: Hex }[];
};

/** The transactions that carry the calls. A user operation's is known once it is included. */
const transactionsOf = ({ sent, receipts = [] }: ShownBatch): Hex[] =>
  sent.as === 'operation'
    ? receipts.slice(0, 1).map(({ transactionHash }) => transactionHash)
    : sent.items.map(({ hash }) => hash);

/** The rows of one batch, on its own screen and on the home page. */
export const batchRows = (batch: ShownBatch): GenericSnapElement => (
  <Box>
    <TextRow label="Status" text={batch.progress.text} />
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
