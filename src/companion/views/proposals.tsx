import { type VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { getAddress } from 'viem';

import { accountOf, type AnyProposal } from '../../core/schemas/any-proposal';
import { shortAddress } from '../model/account-name';
import { explainProposal } from '../model/explain-proposal';
import { networkOfChain } from '../model/network';
import { type ListedProposal, listProposals, openedProposal, openLinkPart } from '../model/proposals';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { counted, numberOf } from '../model/units';
import { useLookup } from '../model/use-lookup';
import { useNames } from '../model/use-names';
import { ButtonLine } from '../parts/action-button';
import { Empty } from '../parts/empty';
import { Identicon } from '../parts/identicon';
import { OpenProposal } from '../parts/open-proposal';
import { OpenSafe } from '../parts/open-safe';
import { ProposalPanel } from '../parts/proposal-panel';
import { LookupStatus } from '../parts/lookup-status';

/** @returns What a proposal does, by what is in it. Opened, it is looked at with the network. */
function titleOf(proposal: ListedProposal, accounts: readonly Account[], chains: readonly Chain[]): string {
  if (!('operation' in proposal)) return `Message${proposal.site === undefined ? '' : ` for ${proposal.site}`}`;
  const facts = { threshold: 1, accounts, chains, now: BigInt(Math.floor(Date.now() / 1000)) };
  try {
    return explainProposal(proposal, { ...facts, wasPrepared: proposal.wasPrepared }).title;
  } catch {
    return 'Unreadable proposal';
  }
}

function ProposalList(): VNode {
  const { client, accounts, chains } = useSession();
  const list = useLookup(() => listProposals(client, accounts), [accounts]);
  const called = useNames();
  if (list.value === undefined) return <LookupStatus error={list.error}>{'Loading…'}</LookupStatus>;
  if (list.value.length === 0)
    return (
      <Empty title="No proposals">
        <p>
          Operations and messages of an account with several owners wait here until enough of them have signed. If a
          co-owner sent you a file or a link, open it below.
        </p>
      </Empty>
    );
  return (
    <section class="panel" aria-label="Waiting for signatures">
      <ul class="rows" aria-label="Proposals">
        {list.value.map((proposal) => {
          const { hash, chainId, signatures } = proposal;
          const chain = chains.find((each) => numberOf(each.chainId) === chainId);
          const sender = getAddress(accountOf(proposal));
          return (
            <li class="row" key={hash}>
              <Identicon address={sender} />
              <div class="who">
                <h3>{titleOf(proposal, accounts, chains)}</h3>
                <p class="hint">
                  {called(sender) ?? shortAddress(sender)} ·{' '}
                  {chain === undefined ? `Chain ${chainId}` : networkOfChain(chain).name} ·{' '}
                  {counted(new Set(signatures.map(({ address }) => address)).size, 'signature')} so far
                </p>
              </div>
              <div class="row-actions">
                <a class="button small" href={linkTo('proposals', 'show', hash)}>
                  Open<span class="visually-hidden"> the proposal {shortAddress(hash)}</span>
                </a>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A proposal from a file or a link, which this browser need not keep. */
function Opened({ proposal }: { readonly proposal: AnyProposal }): VNode {
  const { client, accounts } = useSession();
  const { value, error } = useLookup(() => openedProposal(proposal, client, accounts), [proposal, accounts]);
  if (value === undefined) return <LookupStatus error={error}>{'Loading…'}</LookupStatus>;
  return (
    <ProposalPanel
      key={proposal.hash}
      proposal={value.proposal}
      isKept={value.isKept}
      onChange={() => {
        location.hash = linkTo('proposals', 'show', proposal.hash);
      }}
    />
  );
}

/** A proposal from a link. */
function Linked({ part }: { readonly part: string }): VNode {
  const { value, error } = useLookup(() => openLinkPart(part), [part]);
  return value === undefined ? <LookupStatus error={error}>{'Reading…'}</LookupStatus> : <Opened proposal={value} />;
}

/** A proposal that this browser or the snap has. */
function Shown({ hash }: { readonly hash: string }): VNode {
  const { client, accounts } = useSession();
  const [changes, setChanges] = useState(0);
  const { value, error } = useLookup(() => listProposals(client, accounts), [accounts, changes]);
  if (value === undefined) return <LookupStatus error={error}>{'Loading…'}</LookupStatus>;
  const proposal = value.find((each) => each.hash === hash);
  if (proposal === undefined)
    return (
      <Empty title="No such proposal" next={['All proposals', linkTo('proposals')]}>
        <p>It was sent or removed, or it was never opened in this browser.</p>
      </Empty>
    );
  return <ProposalPanel key={hash} proposal={proposal} isKept onChange={() => setChanges(changes + 1)} />;
}

/** The list, until a proposal is opened from a file. */
function AllProposals(): VNode {
  const [opened, setOpened] = useState<AnyProposal>();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (opened !== undefined) title.current?.focus();
  }, [opened]);
  if (opened === undefined)
    return (
      <>
        <h1>Proposals</h1>
        <ProposalList />
        <OpenProposal onOpen={setOpened} />
        <OpenSafe />
      </>
    );
  return (
    <>
      <h1 tabIndex={-1} ref={title}>
        Proposal
      </h1>
      <Opened proposal={opened} />
      <ButtonLine class="quiet" onClick={() => setOpened(undefined)}>
        All proposals
      </ButtonLine>
    </>
  );
}

type Props = {
  /** `show` with a hash, `open` with the part of a link, or nothing. */
  readonly step: string | undefined;
  readonly which: string | undefined;
};

/** Shows what waits for the signatures of several owners: proposed here, or received from a co-owner. */
export function Proposals({ step, which = '' }: Props): VNode {
  if (step !== 'open' && step !== 'show') return <AllProposals />;
  return (
    <>
      <h1>Proposal</h1>
      {step === 'open' ? <Linked key={which} part={which} /> : <Shown key={which} hash={which} />}
    </>
  );
}
