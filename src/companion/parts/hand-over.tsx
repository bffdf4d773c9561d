import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { type Hex } from '../../core/eth/bytes';
import { forgetProposal, type ListedProposal } from '../model/proposals';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { ActionLine } from './action-button';
import { Copyable } from './copyable';

type Props = {
  readonly proposal: ListedProposal;
  readonly isBusy: boolean;
  /** Joins the signatures and asks the network whether they count. */
  readonly signature: () => Promise<Hex>;
  readonly onGive: (give: () => Promise<string | undefined>) => void;
};

/** Gives the site that waits the signature of the account, or shows it where no site waits. */
export function HandOver({ proposal, isBusy, signature, onGive }: Props): VNode {
  const { site, hash } = proposal;
  const { client } = useSession();
  const [shown, setShown] = useState<Hex>();
  if (shown !== undefined) return <Copyable label="Signature of the account" value={shown} />;
  return (
    <button
      type="button"
      class="main"
      aria-disabled={isBusy}
      onClick={() => {
        onGive(async () => {
          const whole = await signature();
          if (site === undefined) {
            setShown(whole);
            return undefined;
          }
          await client.dapp('keystead_answerMessage', { origin: site, hash, signature: whole });
          forgetProposal(proposal);
          return `${site} gets the signature. Go back to it.`;
        });
      }}
    >
      {site === undefined ? 'Show the signature' : `Give the signature to ${site}`}
    </button>
  );
}

type RefuseProps = { readonly proposal: ListedProposal; readonly site: string };

/** Tells the site that waits that the person refuses. */
export function Refuse({ proposal, site }: RefuseProps): VNode {
  const { client } = useSession();
  const { hash } = proposal;
  return (
    <>
      <ActionLine
        class="quiet"
        work={async () => {
          await client.dapp('keystead_answerMessage', { origin: site, hash, signature: null });
          forgetProposal(proposal);
          location.hash = linkTo('proposals');
        }}
      >
        Refuse, and tell the site
      </ActionLine>
    </>
  );
}
