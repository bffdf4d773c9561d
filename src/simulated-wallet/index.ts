import { announceProvider } from './announce';
import { Dialogs } from './dialogs';
import { Interfaces } from './interfaces';
import { Lock } from './lock';
import { urlOfSnap } from './snap-files';
import { openStore } from './store';
import { snapScreens, walletScreens } from './ui/screens';
import { mountWallet } from './ui/mount';
import { SimulatedWallet, type UserInput } from './wallet';
import { answerPage } from './wallet-api';

/**
 * @returns The URL of the execution environment: from `devnet.json`, otherwise beside the snap. 127.0.0.1 replaces
 * localhost there, so that the origin differs from the page's.
 */
async function executorUrl(snapId: string): Promise<string> {
  // Another site's server may answer anything for devnet.json, even with status 200.
  const devnet = await fetch('devnet.json')
    .then((response) => response.json() as Promise<{ readonly executorUrl?: unknown } | null>)
    .catch(() => undefined);
  if (typeof devnet?.executorUrl === 'string') return devnet.executorUrl;
  return `${urlOfSnap(snapId).replace('//localhost', '//127.0.0.1')}/executor/index.html`;
}

const store = await openStore('keystead-simulated-wallet');
const dialogs = new Dialogs();
const interfaces = new Interfaces();
const wallet: SimulatedWallet = new SimulatedWallet({
  store,
  interfaces,
  lock: await Lock.open(store),
  executorUrl,
  screens: snapScreens({ dialogs, interfaces, onInput: (id: string, event: UserInput) => wallet.input(id, event) }),
});
const screens = walletScreens(dialogs);
const bar = mountWallet(wallet, dialogs);

if ((await wallet.installedSnap()) !== undefined) bar.show();
announceProvider(async (method, params) => {
  bar.show();
  return answerPage(method, params, { wallet, screens, origin: location.origin });
});
await wallet.resume();
