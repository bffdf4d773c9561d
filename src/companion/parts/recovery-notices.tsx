import { type VNode } from 'preact';

import { isSameAddress } from '../../core/eth/address';
import { eachOnce, noticeWords } from '../../core/safe/recovery/notice';
import { networkOfChain } from '../model/network';
import { type AccountNotice } from '../../core/methods/results';
import { useSession } from '../model/session';
import { Warning } from './icons';

/** How accounts have ended up, what nodes do not say, and where they contradict each other. */
export function RecoveryNotices({ notices }: { readonly notices: readonly AccountNotice[] }): VNode {
  const { accounts, chains } = useSession();
  const words = notices.map((notice) => {
    const account = accounts.find(({ address }) => isSameAddress(address, notice.account));
    const chain = chains.find(({ chainId }) => chainId === notice.chainId);
    return noticeWords(
      notice,
      account?.name ?? notice.account,
      chain === undefined ? notice.chainId : networkOfChain(chain).name,
    );
  });
  return (
    <>
      {eachOnce(words).map(({ title, text, severity }) =>
        severity === 'danger' ? (
          <Warning isDanger key={text}>
            {title}. {text}
          </Warning>
        ) : (
          <p class="status" key={text}>
            {title}. {text}
          </p>
        ),
      )}
    </>
  );
}
