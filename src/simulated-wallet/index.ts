import { announceProvider } from './announce';
import { Dialogs } from './dialogs';
import { Interfaces } from './interfaces';
import { urlOfSnap } from './snap-files';
import { openStore } from './store';
import { snapScreens, walletScreens } from './ui/screens';
import { mountWallet } from './ui/mount';
import { SimulatedWallet, type UserInput } from './wallet';
import { answerPage } from './wallet-api';

/** Where the execution environment is: the devnet says it; else beside the snap, by address so that the origin differs. */
async function executorUrl(snapId: string): Promise<string> {
  // A server of somebody else's page may answer anything, with 200 too.
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
