import { type VNode } from 'preact';

import { type HostWallet } from '../model/wallets';
import { Warning } from './icons';

/** Says that the wallet removes Keystead, while the page waits until that is done. */
export const Removing = ({ wallet: { name } }: { readonly wallet: HostWallet }): VNode => (
  <Warning role="alert">
    {name} is removing Keystead, one account after the other. Leave {name}’s own page open until it has finished: if
    that page is closed, some accounts stay. This page looks again by itself.
  </Warning>
);
