import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { type Account } from '../model/types';
import { Icon } from './icons';
import { lazy } from './lazy';

const Receive = lazy(async () => (await import('./receive')).Receive);

/** Opens the address and QR code of an account. */
export function ReceiveButton({ account, style = '' }: { readonly account: Account; readonly style?: string }): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={style} onClick={() => setOpen(true)}>
        <Icon name="receive" />
        Receive<span class="visually-hidden"> with {account.name}</span>
      </button>
      {isOpen ? <Receive account={account} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
