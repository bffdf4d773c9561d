import { h, render } from 'preact';

import { Dialogs } from '../../../src/simulated-wallet/dialogs';
import { Interfaces, type SnapElement } from '../../../src/simulated-wallet/interfaces';
import { DialogHost } from '../../../src/simulated-wallet/ui/dialog-host';
import { snapScreens } from '../../../src/simulated-wallet/ui/screens';
import style from '../../../src/simulated-wallet/ui/style.css';

const dialogs = new Dialogs();
const interfaces = new Interfaces();
const screens = snapScreens({ dialogs, interfaces, onInput: () => Promise.resolve() });

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
const host = document.createElement('div');
const root = host.attachShadow({ mode: 'open' });
root.adoptedStyleSheets = [sheet];
document.body.append(host);
render(h(DialogHost, { dialogs }), root);

/** Shows a screen of a snap in the simulated wallet's dialog. */
Object.assign(globalThis, {
  showScreen: (content: SnapElement) => {
    void screens.dialog('confirmation', interfaces.create(content));
  },
});
