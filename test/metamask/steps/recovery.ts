import { encodeFunctionData, type Hex, recoverMessageAddress, stringToHex } from 'viem';

import { RECOVERY_ABI, SAFE_ADMINISTRATION_ABI } from '../../../src/core/safe/recovery/abi';
import { standInModule } from '../../../src/devnet/chain/state';
import { listenOnLoopback, type LoopbackServer } from '../../../src/devnet/loopback';
import { sendAs } from '../../support/browser/devnet-node';
import { type Run } from '../../support/metamask/run';
import { type WalletSite } from '../../support/metamask/wallet-site';

const GUARDIAN: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const NEW_OWNER: Hex = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const MESSAGE = 'This dialog stays open';
const CANCEL = 'Cancel recovery';

/** A guardian takes a Safe, and keeps a dialog of a site open meanwhile. */
export function recoverySteps(run: Run): void {
  describe('a recovery that has begun', () => {
    const { address: module } = standInModule();
    let server: LoopbackServer;
    let site: WalletSite;
    let account: Hex;
    let safe: Hex;

    /** The Safe has one guardian, who begins the recovery. */
    const begin = async (): Promise<void> => {
      const args = [safe, [NEW_OWNER], 1n, true] as const;
      const data = encodeFunctionData({ abi: RECOVERY_ABI, functionName: 'confirmRecovery', args });
      await sendAs(run.world, GUARDIAN, module, data);
    };
    const isPending = async (): Promise<boolean> => {
      const found = await run.site.readSnap<readonly { pending?: object }[]>('keystead_getRecoveries');
      return found.some(({ pending }) => pending !== undefined);
    };
    /** Has the site ask for a signature. @returns Approves it, and checks that it was signed. */
    const openDialogOfSite = async (): Promise<() => Promise<void>> => {
      const invocation = site.invocation('personal_sign', [stringToHex(MESSAGE), account]);
      const asked = site.attempt<Hex>('wallet_invokeSnap', invocation);
      await run.metamask.openDialogWith(MESSAGE);
      return async () => {
        const reply = await run.metamask.approve(asked, run.look);
        if ('error' in reply) throw new Error(`The site’s dialog was ended: ${reply.error.message}`);
        expect(await recoverMessageAddress({ message: MESSAGE, signature: reply.result })).toBe(account);
      };
    };
    /** Approves the dialog that cancels, beside the site’s. */
    const approveCancelling = async (): Promise<void> => {
      const dialog = await run.metamask.openDialogWith('Cancel the recovery');
      await run.look(dialog);
      await dialog
        .locator('button:enabled')
        .filter({ hasText: /^Approve$/u })
        .press('Enter');
    };

    beforeAll(async () => {
      account = run.address('a standard account');
      safe = run.address('a Safe');
      const enabling = encodeFunctionData({
        abi: SAFE_ADMINISTRATION_ABI,
        functionName: 'enableModule',
        args: [module],
      });
      await sendAs(run.world, safe, safe, enabling);
      const [abi, args] = [RECOVERY_ABI, [GUARDIAN, 1n]] as const;
      await sendAs(
        run.world,
        safe,
        module,
        encodeFunctionData({ abi, functionName: 'addGuardianWithThreshold', args }),
      );
      server = await listenOnLoopback(0, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A site</title>');
      });
      site = await run.visit(`http://localhost:${server.port}/`);
      await site.ask('wallet_requestSnaps', { [site.devnet.snapId]: {} });
      await site.connect(account, 'snap');
    });
    afterAll(async () => {
      await site.page.close();
      await server.stop();
    });

    it('is cancelled on the Keystead page while a dialog of a site is open', async () => {
      await begin();
      await run.site.page.reload();
      const alarm = run.site.page.getByRole('region', { name: /^A recovery of .+ has begun/u });
      await alarm.waitFor();
      const approveSite = await openDialogOfSite();
      await alarm.getByRole('button', { name: CANCEL }).click();
      await approveCancelling();
      await alarm.waitFor({ state: 'hidden' });
      expect(await isPending()).toBe(false);
      await approveSite();
    });
  });
}
