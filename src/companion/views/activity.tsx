import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Hash } from 'viem';

import { PROGRESS } from '../../core/calls/progress';
import { isSameAddress } from '../../core/eth/address';
import { MAX_LISTED } from '../../core/ledger/history';
import { explorerLink } from '../../core/networks/network';
import { shortAddress } from '../model/account-name';
import { type Activity as Entry, type Filter, siteName, statusOf, type Trace, tracesOf } from '../model/activity';
import { useChosenChain } from '../model/chosen-chain';
import { contacts } from '../model/contacts';
import { historyWords, rowTitle } from '../model/history-words';
import { networkOfChain } from '../model/network';
import { nameOf } from '../model/recipient-name';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { type Facts, isIn, type Row, timelineOf } from '../model/timeline';
import { type Chain } from '../model/types';
import { formatAmount } from '../model/units';
import { isOnChain } from '../model/usable';
import { useActivity } from '../model/use-activity';
import { type History, tokenKey, useHistory } from '../model/use-history';
import { Empty } from '../parts/empty';
import { Choice } from '../parts/field';
import { Identicon } from '../parts/identicon';
import { NetworkSearch } from '../parts/network-search';
import { ReplaceButtons } from '../parts/replace-buttons';

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The network's own explorer if it has one, or else this page's. */
function TraceLink({
  trace: { kind, hash },
  chain,
}: {
  readonly trace: Trace;
  readonly chain: Chain | undefined;
}): VNode {
  const external =
    kind === 'transaction' && chain !== undefined ? explorerLink(networkOfChain(chain), 'tx', hash) : undefined;
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
  const { accounts, chains } = useSession();
  const known = { accounts, contacts: contacts.use() };
  const { account, activity, entry, change, facts, chainId, at } = row;
  const chain = chains.find((each) => each.chainId === chainId);
  const words =
    chain &&
    historyWords(
      chain,
      (token) => tokens.get(tokenKey(chain.chainId, token)),
      (address) => nameOf(address, known),
    );
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
            <time dateTime={new Date(at).toISOString()}>{TIME.format(at)}</time>
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

const MAX_SHOWN = 50;
const NONE: readonly Entry[] = [];

/** What happened to the accounts: what was signed and sent, for every site, and what the networks have of it. */
export function Activity(): VNode {
  const session = useSession();
  const { accounts, chains } = session;
  const chain = useChosenChain();
  const [filter, setFilter] = useState<Filter>({ account: '', origin: '' });
  const [most, setMost] = useState(MAX_SHOWN);
  const [isWhole, setWhole] = useState(false);
  const [searches, setSearches] = useState(0);
  const { list, error, reread } = useActivity(session);
  const { found, facts, tokens, logsCoins } = useHistory(accounts, chains, list ?? NONE, searches);
  const all = list === undefined ? [] : timelineOf(list, found, facts);
  const known = all.filter(({ activity, entry }) => activity !== undefined || entry?.isUnknown !== true);
  const rows = isWhole ? all : known;
  const shown = rows.filter((row) => isIn(row, filter));
  const origins = [...new Set((list ?? []).map(({ origin }) => origin))].sort();
  return (
    <>
      <h1>Activity</h1>
      {error === undefined ? null : <p class="status error">{error}</p>}
      {list === undefined && error === undefined ? (
        <p class="status" role="status">
          Loading…
        </p>
      ) : null}
      {list !== undefined && all.length === 0 ? (
        <Empty title="Nothing signed or sent yet in this wallet">
          <p>What your accounts sign and send appears here, for this page and every other site.</p>
          <a class="button main" href={linkTo('send')}>
            Send something
          </a>
        </Empty>
      ) : null}
      {all.length === 0 ? null : (
        <section class="panel" aria-label="What happened">
          <div class="fields filters">
            <Choice
              label="Account"
              name="account"
              value={filter.account}
              onChange={(account) => {
                setFilter({ ...filter, account });
              }}
            >
              <option value="">All accounts</option>
              {accounts.map((account) => (
                <option key={account.id} value={account.address}>
                  {account.name} · {shortAddress(account.address)}
                </option>
              ))}
            </Choice>
            <Choice
              label="Site"
              name="origin"
              value={filter.origin}
              onChange={(origin) => {
                setFilter({ ...filter, origin });
              }}
            >
              <option value="">All sites</option>
              {origins.map((origin) => (
                <option key={origin} value={origin}>
                  {siteName(origin, location.origin)}
                </option>
              ))}
            </Choice>
          </div>
          {shown.length === 0 ? <p class="hint">Nothing of this account and site.</p> : null}
          {found.some(({ history }) => history.length === MAX_LISTED) ? (
            <p class="hint">Of each account, the newest {MAX_LISTED} transactions are listed.</p>
          ) : null}
          <ul class="rows" aria-label="Activity">
            {shown.slice(0, most).map((row) => (
              <TimelineRow key={row.key} row={row} tokens={tokens} onReplaced={reread} />
            ))}
          </ul>
          <div class="actions">
            {shown.length > most ? (
              <button
                type="button"
                onClick={() => {
                  setMost(most + MAX_SHOWN);
                }}
              >
                Show more
              </button>
            ) : null}
            {known.length === all.length ? null : (
              <button
                type="button"
                aria-pressed={isWhole}
                onClick={() => {
                  setWhole(!isWhole);
                }}
              >
                {isWhole ? 'Hide unknown tokens' : 'Show unknown tokens too'}
              </button>
            )}
          </div>
        </section>
      )}
      {chain === undefined || accounts.length === 0 ? null : (
        <NetworkSearch
          key={chain.chainId}
          accounts={accounts.filter(
            (each) => isOnChain(each, chain) && (filter.account === '' || isSameAddress(each.address, filter.account)),
          )}
          chain={chain}
          logsCoins={logsCoins.has(chain.chainId)}
          onSearched={() => {
            setSearches((before) => before + 1);
          }}
        />
      )}
    </>
  );
}
