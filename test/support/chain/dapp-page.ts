import { parseEther } from 'viem';

import { version } from '../../../package.json';
import { type AccountVersion } from '../../../src/core/erc4337/entry-points';
import { DAPP, type DappScreen, installForDapps, LOCAL_PAGE } from '../dapp';
import { openPage } from '../page';
import { answeredBy, pageWallet, type Person } from '../wallet/page-wallet';
import { CHAIN, must } from './smart-wallet';
import { type World } from './world';

const SNAP_ID = 'npm:keystead';

/**
 * A page of a dapp, in a browser whose wallet has the built snap, with one account that has 10 ETH, on the chain of the
 * world. The person approves everything, unless `refuseNext` was called.
 *
 * @param secretRecoveryPhrase - Default: that of the runtime.
 */
export async function openDappPage(world: World, account: 'eoa' | AccountVersion, secretRecoveryPhrase?: string) {
  const keystead = await installForDapps(secretRecoveryPhrase === undefined ? {} : { secretRecoveryPhrase });
  const params = { chainId: CHAIN, rpcUrl: world.rpcUrl, bundlerUrl: world.bundlerUrl };
  must(await keystead.approve('keystead_setChain', params, LOCAL_PAGE));
  const options = account === 'eoa' ? {} : { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: account };
  const address = (await keystead.create(options)).address as `0x${string}`;
  await world.chain.setBalance({ address, value: parseEther('10') });

  const shown: DappScreen[] = [];
  let refusals = 0;
  const person: Person = async (screen) => {
    shown.push(screen);
    if (refusals > 0) {
      refusals--;
      await screen.cancel();
    } else await screen.ok();
  };
  const page = openPage();
  const snap = answeredBy(keystead, DAPP, person);
  const wallet = pageWallet('test.wallet', { snap, offers: SNAP_ID, version });
  page.announce(wallet);
  return {
    address,
    wallet,
    /** Takes the snap away from the page. */
    removeSnap: () => {
      wallet.remove(SNAP_ID);
    },
    /** Every dialog that the person saw. */
    shown,
    refuseNext: () => {
      refusals++;
    },
    close: page.close,
  };
}
export type DappPage = Awaited<ReturnType<typeof openDappPage>>;
