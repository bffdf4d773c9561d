import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Address, getAddress } from 'viem';

import { collectedFor } from '../../core/safe/owners/collected';
import { isOwner } from '../../core/safe/owners/owners';
import { type OwnerSignature } from '../../core/safe/owners/signatures';
import { isSameAddress } from '../../core/eth/address';
import { withoutSignatures } from '../../core/schemas/owner-signatures';
import { accountOf } from '../../core/schemas/any-proposal';
import { contacts } from '../model/contacts';
import { explainedMessage, previewedProposal } from '../model/explain-proposal';
import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import { addSignatures, forgetProposal, keepProposal, type ListedProposal } from '../model/proposals';
import { linkTo } from '../model/route';
import { readSafe } from '../model/safe';
import { useSession } from '../model/session';
import {
  checkSignatures,
  type HandedOver,
  operationsBefore,
  sendProposal,
  signatureOfMessage,
  standingProblem,
} from '../model/sign-proposal';
import { type Chain } from '../model/types';
import { counted, numberOf } from '../model/units';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { useNames } from '../model/use-names';
import { ActionLine, ButtonLine } from './action-button';
import { ActionStatus } from './action-status';
import { Acceptance, assertAccepted, Explained } from './explained';
import { Facts } from './facts';
import { ImportSignature } from './import-signature';
import { OwnerList } from './owner-list';
import { Panel } from './panel';
import { Party } from './party';
import { SentOperation } from './sent-operation';
import { HandOver, Refuse } from './hand-over';
import { ShareProposal } from './share-proposal';
import { SignButtons } from './sign-buttons';
import { LookupStatus } from './lookup-status';

type Props = {
  readonly proposal: ListedProposal;
  /** This browser or the snap keeps it. */
  readonly isKept: boolean;
  /** Called when signatures were added, or it was kept. */
  readonly onChange: () => void;
};

type OnChainProps = Props & {
  readonly chain: Chain;
  readonly onSent: (sent: HandedOver) => void;
  /** Called with the signatures that do not count. */
  readonly onChecked: (refused: readonly OwnerSignature[]) => void;
};

function ProposalOn({ proposal, onChange, chain, onSent, onChecked }: OnChainProps): VNode {
  const { client, accounts, chains } = useSession();
  const [isAccepted, setAccepted] = useState(false);
  const action = useAction();
  const node = nodeOf(chain);
  const address = getAddress(accountOf(proposal));
  const { value, error } = useLookup(async () => {
    const [safe, before] = await Promise.all([
      readSafe(node, address),
      'operation' in proposal ? operationsBefore(proposal, node) : 0n,
    ]);
    if (safe === undefined) throw new Error('There is no account at this address on this network yet.');
    const now = BigInt(Math.floor(Date.now() / 1000));
    const { threshold } = safe;
    const { wasPrepared, site } = proposal;
    const facts = { threshold, wasPrepared, accounts, chains, contacts: contacts.read(), now };
    const [checked, explanation] = await Promise.all([
      checkSignatures(proposal, safe, node),
      'operation' in proposal ? previewedProposal(proposal, facts, chain) : explainedMessage(proposal, site, client),
    ]);
    const ofOthers = proposal.signatures.filter(({ address: signer }) => !isOwner(signer, safe));
    const collected = collectedFor([...checked.valid, ...ofOthers], safe);
    // Operations before it can make somebody an owner. Signatures of keys were checked without the network.
    const later = before > 0n ? ofOthers.filter(({ isContract }) => !isContract) : [];
    const refused = withoutSignatures(proposal, [...collected.valid, ...later]).signatures;
    const problem = 'operation' in proposal ? standingProblem(proposal, before, now) : undefined;
    return { safe, collected, refused, explanation, problem };
  }, [proposal, chain.rpcUrl]);
  const called = useNames();
  useEffect(() => {
    onChecked(value?.refused ?? []);
  }, [value]);
  if (value === undefined) return <LookupStatus error={error} />;
  const { safe, collected, refused, explanation, problem } = value;
  const approve = (work: () => Promise<string | undefined>): void => {
    action.run(async () => {
      assertAccepted(explanation, isAccepted);
      return work();
    });
  };
  const waiting = safe.kinds.filter((owner) => collected.waiting.includes(owner.address));
  const stateOf = (owner: Address): string =>
    collected.valid.some((signed) => isSameAddress(signed.address, owner))
      ? 'Signed'
      : refused.some((signed) => isSameAddress(signed.address, owner))
        ? 'Invalid signature'
        : 'Not signed';
  return (
    <>
      <Panel id="what" title={'operation' in proposal ? 'The operation' : 'The message'}>
        <Explained explanation={explanation} />
        <Facts
          facts={[
            ['Account', <Party address={address} name={called(address)} />],
            [
              'Site',
              'operation' in proposal
                ? undefined
                : (proposal.site ?? 'Not known here: ask your co-owner which site gets the signature'),
            ],
          ]}
        />
      </Panel>
      <section class="panel" aria-labelledby="signatures">
        <h2 id="signatures">
          {collected.missing === 0
            ? 'operation' in proposal
              ? 'Ready to send'
              : 'All needed owners have signed'
            : `${counted(collected.missing, 'signature')} missing: ${safe.threshold} of ${safe.owners.length} owners must sign`}
        </h2>
        <OwnerList
          owners={safe.kinds}
          safe={accounts.find((account) => isSameAddress(account.address, address))}
          chain={chain}
          beside={(owner) => (
            <span class={`badge ${stateOf(owner) === 'Signed' ? 'success' : 'wait'}`}>{stateOf(owner)}</span>
          )}
        />
        {collected.strangers.map((stranger) => (
          <p class="warning" key={stranger}>
            {getAddress(stranger)} is not an owner now, so a signature in its name does not count.
          </p>
        ))}
        {problem === undefined ? null : <p class="warning">{problem}</p>}
        <Acceptance explanation={explanation} isAccepted={isAccepted} onChange={setAccepted} />
        <div class="actions">
          {collected.missing > 0 || problem !== undefined ? null : 'operation' in proposal ? (
            <button
              type="button"
              class="main"
              aria-disabled={action.isBusy}
              onClick={() => {
                approve(async () => {
                  const sent = await sendProposal(proposal, collected.valid, safe, chain);
                  if (!sent.isUnclear) forgetProposal(proposal);
                  onSent(sent);
                });
              }}
            >
              Send
            </button>
          ) : (
            <HandOver
              proposal={proposal}
              isBusy={action.isBusy}
              signature={() => signatureOfMessage(proposal, collected.valid, safe, node)}
              onGive={approve}
            />
          )}
          <SignButtons
            proposal={proposal}
            chain={chain}
            waiting={waiting}
            isBusy={action.isBusy}
            onSign={(sign) => {
              approve(async () => {
                await addSignatures(proposal, [await sign()], refused);
                onChange();
                return 'Signed.';
              });
            }}
          />
        </div>
        <ActionStatus action={action} />
        {waiting.length === 0 ? null : (
          <ImportSignature
            proposal={proposal}
            safe={safe}
            refused={refused}
            waiting={waiting}
            node={node}
            onAdded={onChange}
          />
        )}
      </section>
      <ShareProposal proposal={withoutSignatures(proposal, refused)} />
    </>
  );
}

/** Has the browser keep a proposal that came from a file or a link, or removes it. */
function Keeping({
  proposal,
  isKept,
  onChange,
  refused,
}: Props & { readonly refused: readonly OwnerSignature[] }): VNode {
  if (isKept && proposal.site !== undefined) return <Refuse proposal={proposal} site={proposal.site} />;
  if (isKept)
    return (
      <ButtonLine
        class="quiet"
        onClick={() => {
          forgetProposal(proposal);
          location.hash = linkTo('proposals');
        }}
      >
        Remove from this browser
      </ButtonLine>
    );
  return (
    <>
      <p class="hint">This browser keeps the proposal, with its signatures, once you sign it or press Keep.</p>
      <ActionLine
        busyText="Keeping it…"
        work={async () => {
          await keepProposal(proposal, { refused });
          onChange();
        }}
      >
        Keep
      </ActionLine>
    </>
  );
}

/** A proposal: what it does, who has signed, and the ways to sign, share and send it. */
export function ProposalPanel(props: Props): VNode {
  const { chainId } = props.proposal;
  const { chains } = useSession();
  const [sent, setSent] = useState<HandedOver>();
  const [refused, setRefused] = useState<readonly OwnerSignature[]>([]);
  const chain = chains.find((each) => numberOf(each.chainId) === chainId);
  if (chain === undefined)
    return (
      <>
        <p class="warning" role="status">
          The proposal is for chain {String(chainId)}, which is not set up.{' '}
          <a href={linkTo('settings')}>Add the network</a> to check and sign it. Compare the chain with what your
          co-owner says.
        </p>
        <Keeping {...props} refused={refused} />
      </>
    );
  if (sent !== undefined)
    return <SentOperation chain={chain} account={getAddress(accountOf(props.proposal))} sent={sent} />;
  return (
    <>
      <p class="hint">
        On {networkOfChain(chain).name}, as the node at {new URL(chain.rpcUrl).host} has it
      </p>
      <ProposalOn {...props} chain={chain} onSent={setSent} onChecked={setRefused} />
      <Keeping {...props} refused={refused} />
    </>
  );
}
