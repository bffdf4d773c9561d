import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { explorerLink } from '../../core/networks/network';
import { shortAddress } from '../model/account-name';
import {
  type Activity as Entry,
  chainOf,
  type Filter,
  matches,
  siteName,
  statusOf,
  type Trace,
  tracesOf,
  whatOf,
} from '../model/activity';
import { networkOfChain } from '../model/network';
import { nameOf } from '../model/recipient-name';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { useActivity } from '../model/use-activity';
import { Empty } from '../parts/empty';
import { Choice } from '../parts/field';
import { Identicon } from '../parts/identicon';
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

function Row({ entry, onReplaced }: { readonly entry: Entry; readonly onReplaced: () => void }): VNode {
  const { accounts, chains } = useSession();
  const { account, origin, at } = entry;
  const chain = chainOf(entry, chains);
  const { badge, tone, state, text } = statusOf(entry);
  return (
    <li class="row">
      <Identicon address={account} />
      <div class="who">
        <h3>{whatOf(entry)}</h3>
        <p class="hint">
          {nameOf(account, { accounts, contacts: [] }) ?? shortAddress(account)} · {siteName(origin, location.origin)}
          {chain === undefined ? '' : ` · ${networkOfChain(chain).name}`}
        </p>
        <p class="hint">
          <time dateTime={new Date(at).toISOString()}>{TIME.format(at)}</time>
        </p>
        {state === 'unknown' ? <p class="hint">{text}</p> : null}
      </div>
      <span class={`badge ${tone}`}>{badge}</span>
      <div class="row-actions">
        {tracesOf(entry).map((trace) => (
          <TraceLink key={trace.hash} trace={trace} chain={chain} />
        ))}
        {entry.sent?.replaceable?.map((hash) => (
          <ReplaceButtons key={hash} hash={hash} onReplaced={onReplaced} />
        ))}
      </div>
    </li>
  );
}

const MAX_SHOWN = 50;

/** Everything that was signed and sent, for every site, by account and site. */
export function Activity(): VNode {
  const session = useSession();
  const { accounts } = session;
  const [filter, setFilter] = useState<Filter>({ account: '', origin: '' });
  const [most, setMost] = useState(MAX_SHOWN);
  const { list, error, reread } = useActivity(session);
  const shown = (list ?? []).filter((entry) => matches(entry, filter));
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
      {list?.length === 0 ? (
        <Empty title="Nothing signed or sent yet">
          <p>What your accounts sign and send appears here, for this page and every other site.</p>
          <a class="button main" href={linkTo('send')}>
            Send something
          </a>
        </Empty>
      ) : null}
      {list === undefined || list.length === 0 ? null : (
        <section class="panel" aria-label="Signed and sent">
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
          <ul class="rows" aria-label="Activity">
            {shown.slice(0, most).map((entry, index) => (
              <Row key={`${entry.at}-${index}`} entry={entry} onReplaced={reread} />
            ))}
          </ul>
          {shown.length > most ? (
            <div class="actions">
              <button
                type="button"
                onClick={() => {
                  setMost(most + MAX_SHOWN);
                }}
              >
                Show more
              </button>
            </div>
          ) : null}
        </section>
      )}
    </>
  );
}
