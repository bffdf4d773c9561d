import { render } from 'preact';

import { type Dialogs } from '../dialogs';
import { type SimulatedWallet } from '../wallet';
import { DialogHost } from './dialog-host';
import style from './style.css';
import { WalletBar } from './wallet-bar';

/**
 * Mounts the wallet's screens in a shadow tree, isolated from the page's styles. The bar is hidden until it is needed.
 */
export function mountWallet(wallet: SimulatedWallet, dialogs: Dialogs): { readonly show: () => void } {
  const host = document.createElement('keystead-simulated-wallet');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  document.body.append(host);
  const draw = (isShown: boolean): void => {
    render(
      <>
        <DialogHost dialogs={dialogs} />
        {isShown ? <WalletBar wallet={wallet} dialogs={dialogs} /> : null}
      </>,
      root,
    );
  };
  draw(false);
  return {
    show: () => draw(true),
  };
}
