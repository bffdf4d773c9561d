import { type VNode } from 'preact';
import { type Hash } from 'viem';

import { PROGRESS } from '../../core/calls/progress';
import { explorerLink } from '../../core/networks/network';
import { shortAddress } from '../model/account-name';
import { siteName, statusOf, type Trace, tracesOf } from '../model/activity';
import { historyWords, rowTitle } from '../model/history-words';
import { localTime } from '../model/local-time';
import { networkOfChain } from '../model/network';
import { nameOf } from '../model/recipient-name';
import { linkTo } from '../model/route';
import { useHasWallet, useViewing } from '../model/session';
import { type Facts, type Row } from '../model/timeline';
import { type Chain } from '../model/types';
import { formatAmount } from '../model/units';
import { type History, tokenKey } from '../model/use-history';
import { useNames } from '../model/use-names';
import { Identicon } from './identicon';
import { ReplaceButtons } from './replace-buttons';

/** The network's own explorer if it has one, or else this page's. */
function TraceLink({
  trace: { kind, hash },
  chain,
}: {
  readonly trace: Trace;
  readonly chain: Chain | undefined;
}): VNode | null {
  const hasWallet = useHasWallet();
  const external =
    kind === 'transaction' && chain !== undefined ? explorerLink(networkOfChain(chain), 'tx', hash) : undefined;
  if (external === undefined && !hasWallet) return null;
  return (
    <a class="button small" href={external ?? linkTo('explorer', kind, hash)} {...(external && { rel: 'noreferrer' })}>
      View {kind === 'transaction' ? 'transaction' : 'user operation'}
      <span class="visually-hidden"> {shortAddress(hash)}</span>
    </a>
  );
}

/** The fee, and who paid it; nothing if another address did. */
function feeText({ fee, payer }: Facts, chain: Chain): string {
  if (payer === undefined) return '';
  return `Network fee: ${formatAmount(fee)} ${networkOfChain(chain).symbol}${payer === 'paymaster' ? ', paid by the paymaster' : ''}.`;
}

type RowProps = {
  readonly row: Row;
  readonly tokens: History['tokens'];
  readonly onReplaced: () => void;
};

function TimelineRow({ row, tokens, onReplaced }: RowProps): VNode {
  const { accounts, chains } = useViewing();
  const called = useNames();
  const { account, activity, entry, change, facts, chainId, at } = row;
  const chain = chains.find((each) => each.chainId === chainId);
  const words = chain && historyWords(chain, (token) => tokens.get(tokenKey(chain.chainId, token)), called);
  const { badge, tone, state, text } = activity === undefined ? PROGRESS.included : statusOf(activity);
  const traces =
    activity !== undefined
      ? tracesOf(activity)
      : entry === undefined
        ? []
        : [{ kind: 'transaction' as const, hash: entry.transaction as Hash }];
  return (
    <li class="row">
      <Identicon address={account} />
      <div class="who">
        <h3>{rowTitle(row, words)}</h3>
        <p class="hint">
          {nameOf(account, { accounts, contacts: [] }) ?? shortAddress(account)}
          {activity === undefined ? '' : ` · ${siteName(activity.origin, location.origin)}`}
          {chain === undefined ? '' : ` · ${networkOfChain(chain).name}`}
        </p>
        <p class="hint">
          {at === undefined ? (
            `Block ${entry?.block.toLocaleString('en-US') ?? ''}`
          ) : (
            <time dateTime={new Date(at).toISOString()}>{localTime(at / 1000)}</time>
          )}
          {facts === undefined || chain === undefined ? '' : ` ${feeText(facts, chain)}`}
        </p>
        {entry?.isUnknown === true ? <p class="hint">The account has used none of these tokens.</p> : null}
        {change === undefined ? null : <p class="hint">No event tells when or why.</p>}
        {state === 'unknown' ? <p class="hint">{text}</p> : null}
      </div>
      <span class={`badge ${tone}`}>{badge}</span>
      <div class="row-actions">
        {traces.map((trace) => (
          <TraceLink key={trace.hash} trace={trace} chain={chain} />
        ))}
        {activity?.sent?.replaceable?.map((hash) => (
          <ReplaceButtons key={hash} hash={hash} onReplaced={onReplaced} />
        ))}
      </div>
    </li>
  );
}

type Props = Omit<RowProps, 'row'> & { readonly rows: readonly Row[] };

/** What happened to accounts, the newest first. */
export const Timeline = ({ rows, ...others }: Props): VNode => (
  <ul class="rows" aria-label="Activity">
    {rows.map((row) => (
      <TimelineRow key={row.key} row={row} {...others} />
    ))}
  </ul>
);
