import { type VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';

import { type ScanProgress } from '../../core/ledger/scan';
import { canarySentence, searchedWords } from '../../core/ledger/words';
import { type AccountScan, type Search, searchAccount } from '../model/account-scan';
import { type Account, type Chain } from '../model/types';
import { networkOfChain } from '../model/network';
import { counted } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';
import { Panel } from './panel';

/** What a list rests on: the blocks that were searched, and whether the node finds anything. */
export function SearchBasis({ scan }: { readonly scan: AccountScan }): VNode {
  const { node, state, refusal, canary, requestsLeft } = scan;
  return (
    <>
      <p class="hint">
        Searched {searchedWords(state.searched)} at {node}
        {requestsLeft > 0 ? `. The rest takes about ${counted(requestsLeft, 'more request')}` : ''}.
      </p>
      <p class={canary.kind === 'found' ? 'hint' : 'warning'}>{canarySentence(canary, node)}</p>
      {refusal === undefined ? null : <p class="warning">The search ended early: “{refusal}”</p>}
    </>
  );
}

/** @returns How far a search is, in words. */
const progressText = ({ found, requestsLeft }: ScanProgress): string =>
  `Found ${counted(found, 'event')}. About ${counted(requestsLeft, 'more request')}…`;

type Controls = {
  readonly label: string;
  readonly isMain?: boolean;
  readonly find: (options: Search) => Promise<undefined>;
  /** There are blocks that were not searched. */
  readonly hasMore: boolean;
};

/** Begins a search, goes on with it, and stops it; says how far it is. */
export function SearchControls({ label, isMain = false, find, hasMore }: Controls): VNode {
  const search = useAction('Searching…');
  const [progress, setProgress] = useState<ScanProgress>();
  const stopper = useRef<AbortController | undefined>(undefined);
  const start = (isWhole: boolean) => (): Promise<undefined> => {
    stopper.current = new AbortController();
    setProgress(undefined);
    return find({ onProgress: setProgress, isWhole, signal: stopper.current.signal });
  };
  return (
    <>
      <div class="actions">
        <ActionButton action={search} class={isMain ? 'main' : ''} work={start(false)}>
          {label}
        </ActionButton>
        {search.isBusy || !hasMore ? null : (
          <ActionButton action={search} work={start(true)}>
            Search the rest
          </ActionButton>
        )}
        {search.isBusy ? (
          <button type="button" onClick={() => stopper.current?.abort()}>
            Stop
          </button>
        ) : null}
      </div>
      <ActionStatus
        action={search.isBusy && progress !== undefined ? { ...search, busyText: progressText(progress) } : search}
      />
    </>
  );
}

type Props = {
  readonly accounts: readonly Account[];
  readonly chain: Chain;
  /** The network has logged transfers of coins. */
  readonly logsCoins: boolean;
  readonly onSearched: () => void;
};

/** Searches a network for what happened to accounts, and says what the answer rests on. */
export function NetworkSearch({ accounts, chain, logsCoins, onSearched }: Props): VNode {
  const [scans, setScans] = useState<readonly (readonly [Account, AccountScan])[]>([]);
  const { name } = networkOfChain(chain);
  const find = async (options: Search): Promise<undefined> => {
    setScans([]);
    for (const account of accounts) {
      const scan = await searchAccount(account, chain, options);
      setScans((before) => [...before, [account, scan]]);
      onSearched();
      if (options.signal.aborted) break;
    }
  };
  return (
    <Panel id="search" title={`On ${name}`}>
      <p class="hint">
        What others sent, and what happened before this wallet, is on the network. Keystead searches the events of these
        accounts on your node, the newest first. The node learns that you look for them. Nobody else does.
      </p>
      <p class="hint">
        {logsCoins
          ? `${name} logs transfers of ${networkOfChain(chain).symbol}, so that they are listed too.`
          : `Payments of ${networkOfChain(chain).symbol} by others are not listed: the network has logged none so far.`}
      </p>
      {scans.map(([account, scan]) => (
        <div key={account.id}>
          <h3>{account.name}</h3>
          <SearchBasis scan={scan} />
        </div>
      ))}
      <SearchControls
        label={`Search ${name}`}
        find={find}
        hasMore={scans.some(([, { requestsLeft }]) => requestsLeft > 0)}
      />
    </Panel>
  );
}
