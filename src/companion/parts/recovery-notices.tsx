import { type VNode } from 'preact';

import { isSameAddress } from '../../core/eth/address';
import { networkOfChain } from '../model/network';
import { type RecoveryNotice } from '../../core/methods/results';
import { useSession } from '../model/session';
import { counted } from '../model/units';
import { Icon } from './icons';

/** How a recovery has ended for an account. */
function Ended({
  where,
  node,
  notice,
}: {
  readonly where: string;
  /** Which node says so. */
  readonly node: string;
  readonly notice: RecoveryNotice['notice'];
}): VNode {
  if (notice === 'cancelled')
    return (
      <p class="status">
        A recovery has ended without effect. Your key is still an owner of {where}, says {node}.
      </p>
    );
  return (
    <p class="warning danger">
      <Icon name="warning" />
      <strong>
        Your key no longer controls {where}, says {node}: it has other owners now. If they are not yours, send nothing
        to it.
      </strong>
    </p>
  );
}

/** How accounts have ended up, and one line for each network that did not say whether a recovery has begun. */
export function RecoveryNotices({ notices }: { readonly notices: readonly RecoveryNotice[] }): VNode {
  const { accounts, chains } = useSession();
  const nameOf = (address: string): string => {
    const account = accounts.find((one) => isSameAddress(one.address, address));
    return account === undefined ? address : account.name;
  };
  const networkName = (chainId: string): string => {
    const chain = chains.find((one) => one.chainId === chainId);
    return chain === undefined ? chainId : networkOfChain(chain).name;
  };
  const nodeName = (chainId: string): string => {
    const chain = chains.find((one) => one.chainId === chainId);
    return chain === undefined ? 'its node' : `the node at ${new URL(chain.rpcUrl).host}`;
  };
  const unseen = notices.filter(({ notice }) => notice === 'unseen');
  const silent = [...new Set(unseen.map(({ chainId }) => chainId))];
  return (
    <>
      {notices.map(({ account, chainId, notice }) =>
        notice === 'unseen' ? null : (
          <Ended
            key={[chainId, account, notice].join(' ')}
            where={`${nameOf(account)} on ${networkName(chainId)}`}
            node={nodeName(chainId)}
            notice={notice}
          />
        ),
      )}
      {silent.map((chainId) => {
        const [first, ...more] = unseen.filter((one) => one.chainId === chainId).map(({ account }) => nameOf(account));
        return (
          <p class="status" key={chainId}>
            Keystead could not check whether a recovery of{' '}
            {more.length === 0 ? first : `one of ${counted(more.length + 1, 'account')}`} has begun:{' '}
            {networkName(chainId)} did not answer. It looks again every ten minutes.
          </p>
        );
      })}
    </>
  );
}
