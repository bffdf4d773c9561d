import { type VNode } from 'preact';

import { type HostWallet } from '../model/wallets';
import { Warning } from './icons';

/** Says that the wallet is locked, while the page waits for the person to unlock it. */
export const Locked = ({ wallet: { name, isSimulated } }: { readonly wallet: HostWallet }): VNode => (
  <Warning role="alert">
    {isSimulated
      ? 'The simulated wallet is locked. Press “Unlock” at the bottom of this page. The page then goes on by itself.'
      : `${name} is locked. Open ${name} and unlock it. The page then goes on by itself.`}
  </Warning>
);
