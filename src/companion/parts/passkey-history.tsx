import { type VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { type Activity } from '../model/activity';
import { sentFrom } from '../model/passkey-sent';
import { timelineOf } from '../model/timeline';
import { type Account, type Chain } from '../model/types';
import { useHistory } from '../model/use-history';
import { useLookup } from '../model/use-lookup';
import { NetworkSearch } from './network-search';
import { Panel } from './panel';
import { Timeline } from './timeline';

type Props = {
  readonly account: Account;
  readonly chain: Chain;
  /** Changes when the network has included something. */
  readonly round: number;
};

const NONE: readonly Activity[] = [];

/** What happened to an account that a passkey opens: what this page sent, and what the network has of it. */
export function PasskeyHistory({ account, chain, round }: Props): VNode {
  const [searches, setSearches] = useState(0);
  const { value: sent = NONE } = useLookup(() => sentFrom(account.address, chain), [account.address, chain, round]);
  const [accounts, chains] = useMemo(() => [[account], [chain]] as const, [account, chain]);
  const { found, facts, tokens, logsCoins } = useHistory(accounts, chains, sent, searches);
  const rows = timelineOf(sent, found, facts).filter(
    ({ activity, entry }) => activity !== undefined || entry?.isUnknown !== true,
  );
  return (
    <>
      <Panel id="activity" title="Activity">
        {rows.length === 0 ? (
          <p class="hint">
            This browser has sent nothing from the account. Search the network for what happened before.
          </p>
        ) : (
          <Timeline rows={rows} tokens={tokens} onReplaced={() => undefined} />
        )}
      </Panel>
      <NetworkSearch
        accounts={accounts}
        chain={chain}
        logsCoins={logsCoins.has(chain.chainId)}
        onSearched={() => setSearches((before) => before + 1)}
      />
    </>
  );
}
