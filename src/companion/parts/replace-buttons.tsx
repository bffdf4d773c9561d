import { type VNode } from 'preact';
import { type Hash } from 'viem';

import { type Replacement } from '../../core/calls/replacement';
import { shortAddress } from '../model/account-name';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';

type Props = { readonly hash: Hash; readonly onReplaced: () => void };

/** Speeds up or cancels something that is pending. Keystead shows what it replaces, and asks first. */
export function ReplaceButtons({ hash, onReplaced }: Props): VNode {
  const { client, changed } = useSession();
  const action = useAction('Look for Keystead’s dialog, and approve or reject there.');
  const replace = (how: Replacement): void => {
    action.run(async () => {
      await client.dapp('keystead_replaceCalls', { hash, how });
      changed();
      onReplaced();
      return how === 'cancel' ? 'The cancellation is sent.' : 'Sent with a higher fee.';
    });
  };
  const button = (how: Replacement, label: string): VNode => (
    <button type="button" class="small" aria-disabled={action.isBusy} onClick={() => replace(how)}>
      {label}
      <span class="visually-hidden"> {shortAddress(hash)}</span>
    </button>
  );
  return (
    <>
      {button('speed-up', 'Speed up')}
      {button('cancel', 'Cancel')}
      <ActionStatus action={action} />
    </>
  );
}
