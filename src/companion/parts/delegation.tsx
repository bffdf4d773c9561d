import { type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { waitForTransactionReceipt } from 'viem/actions';

import { explorerLink } from '../../core/networks/network';
import { type Hex } from '../../core/eth/bytes';
import { type Delegation } from '../../core/methods/results';
import { delegateName, takeBack } from '../model/delegations';
import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { useAction } from '../model/use-action';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';
import { Facts } from './facts';
import { Warning } from './icons';
import { Steps } from './steps';

const STEPS = ['Approve in Keystead', 'Sent to the network', 'Taken back'] as const;

type Props = {
  readonly delegation: Delegation;
  readonly chain: Chain;
  /** The name of the account. */
  readonly name: string;
  /** Says whose delegation it is and where. */
  readonly title: string;
};

/** Shows the contract that an account runs on a network, and the button that takes it back. */
export function DelegationItem({ delegation, chain, name, title }: Props): VNode {
  const { client } = useSession();
  const [hash, setHash] = useState<Hex>();
  const network = networkOfChain(chain).name;
  const action = useAction(
    hash === undefined
      ? 'Look for Keystead’s dialog, and approve or reject there.'
      : `Waiting for ${network} to include it. You can leave this page.`,
  );
  const isDone = action.message?.tone === 'success';
  const current = isDone ? STEPS.length : hash === undefined ? 0 : 2;
  return (
    <div class="item" data-chain={chain.chainId}>
      <h3>{title}</h3>
      {isDone ? null : (
        <Facts
          facts={[
            ['Runs', delegateName(delegation)],
            ['Contract', <span class="address">{delegation.delegate}</span>],
          ]}
        />
      )}
      {delegation.isKnown || isDone ? null : (
        <Warning>
          Keystead does not know this contract’s code, which decides over everything that {name} holds on {network}.
          Keystead makes no user operations and no atomic calls with it. If you did not choose it, take it back: if{' '}
          {name} cannot pay the network fee, another account of yours does.
        </Warning>
      )}
      {action.isBusy || hash !== undefined ? (
        <Steps label={`Taking back: ${title}`} steps={STEPS} current={current} />
      ) : null}
      <ActionStatus action={action} />
      {hash === undefined ? null : (
        <p>
          <a href={explorerLink(networkOfChain(chain), 'tx', hash) ?? linkTo('explorer', 'transaction', hash)}>
            View transaction
          </a>
        </p>
      )}
      {isDone ? null : (
        <ActionButton
          action={action}
          work={() => {
            setHash(undefined);
            return takeBack(client, delegation, {
              wait: (sent) => waitForTransactionReceipt(nodeOf(chain), { hash: sent }),
              onSent: setHash,
            });
          }}
        >
          Take back<span class="visually-hidden">: {title}</span>
        </ActionButton>
      )}
    </div>
  );
}
