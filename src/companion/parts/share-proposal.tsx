import { type VNode } from 'preact';

import { type AnyProposal, writeProposal } from '../../core/schemas/any-proposal';
import { linkPartOf } from '../model/proposals';
import { wholeLink } from '../model/route';
import { CopyButton } from './copy-button';
import { Copyable } from './copyable';
import { Panel } from './panel';

/** The file and the link that a co-owner opens. */
export function ShareProposal({ proposal }: { readonly proposal: AnyProposal }): VNode {
  const file = `data:application/json;charset=utf-8,${encodeURIComponent(writeProposal(proposal))}`;
  return (
    <Panel id="share" title="Ask the other owners">
      <p class="hint">
        Send the file or the link to a co-owner. Each holds all that is signed and the signatures so far, and any tool
        for Safe accounts can check the hash. Anyone who has enough signatures can use it. A co-owner without a wallet
        opens the account with a passkey, and the proposal there.
      </p>
      <Copyable label="Hash that owners sign (EIP-712)" value={proposal.hash} />
      <div class="actions">
        <a class="button" href={file} download={`proposal-${proposal.hash.slice(2, 10)}.json`}>
          Download the file
        </a>
        <CopyButton
          text="Copy link"
          label="to the proposal"
          value={wholeLink('proposals', 'open', linkPartOf(proposal))}
        />
      </div>
    </Panel>
  );
}
