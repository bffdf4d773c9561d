import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { isSameAddress } from '../../core/eth/address';
import { MAX_LISTED } from '../../core/ledger/history';
import { shortAddress } from '../model/account-name';
import { type Activity as Entry, type Filter, siteName } from '../model/activity';
import { useChosenChain } from '../model/chosen-chain';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { isIn, timelineOf } from '../model/timeline';
import { isOnChain } from '../model/usable';
import { useActivity } from '../model/use-activity';
import { useHistory } from '../model/use-history';
import { Choice } from '../parts/choice';
import { Empty } from '../parts/empty';
import { LookupStatus } from '../parts/lookup-status';
import { NetworkSearch } from '../parts/network-search';
import { Timeline } from '../parts/timeline';

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
      {list === undefined && error === undefined ? <LookupStatus>Loading…</LookupStatus> : null}
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
              onChange={(account) => setFilter({ ...filter, account })}
              options={[
                ['', 'All accounts'],
                ...accounts.map(
                  (account) => [account.address, `${account.name} · ${shortAddress(account.address)}`] as const,
                ),
              ]}
            />
            <Choice
              label="Site"
              name="origin"
              value={filter.origin}
              onChange={(origin) => setFilter({ ...filter, origin })}
              options={[
                ['', 'All sites'],
                ...origins.map((origin) => [origin, siteName(origin, location.origin)] as const),
              ]}
            />
          </div>
          {shown.length === 0 ? <p class="hint">Nothing of this account and site.</p> : null}
          {found.some(({ history }) => history.length === MAX_LISTED) ? (
            <p class="hint">Of each account, the newest {MAX_LISTED} transactions are listed.</p>
          ) : null}
          <Timeline rows={shown.slice(0, most)} tokens={tokens} onReplaced={reread} />
          <div class="actions">
            {shown.length > most ? (
              <button type="button" onClick={() => setMost(most + MAX_SHOWN)}>
                Show more
              </button>
            ) : null}
            {known.length === all.length ? null : (
              <button type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
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
          onSearched={() => setSearches((before) => before + 1)}
        />
      )}
    </>
  );
}
