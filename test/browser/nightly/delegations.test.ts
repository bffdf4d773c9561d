import { type Hex, createWalletClient, http } from 'viem';
import { foundry } from 'viem/chains';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { addAxe, FOR_AXE, problemsOf } from '../../support/browser/axe';
import { devnetOf, nodeOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';

describeCompanion('upgraded accounts on the companion page', (fixture) => {
  /** Has an account run a contract's code, as another wallet with the same key can. */
  async function delegate(privateKey: Hex, contractAddress: Hex): Promise<void> {
    const { chain } = await devnetOf(fixture().world);
    const account = privateKeyToAccount(privateKey);
    const wallet = createWalletClient({ account, chain: foundry, transport: http(chain.rpcUrl) });
    const authorization = await wallet.signAuthorization({ contractAddress, executor: 'self' });
    const hash = await wallet.sendTransaction({
      to: account.address,
      authorizationList: [authorization],
      gas: 100_000n,
    });
    await (await nodeOf(fixture().world)).waitForTransactionReceipt({ hash });
  }

  it.each([
    ['a contract that Keystead knows', DELEGATES['0.8'], 'Simple7702Account 0.8', 0, 'light', 1100],
    ['unknown code', `0x${'c0de'.repeat(10)}`, 'Unknown code', 1, 'dark', 320],
  ] as const)(
    'shows that an account runs %s, and takes it back',
    async (_what, contract, runs, warnings, colorScheme, width) => {
      const companion = await fixture().ready({ colorScheme, viewport: { width, height: 740 }, ...FOR_AXE });
      const { page } = companion;
      const privateKey = generatePrivateKey();
      const address = (await companion.importKey(privateKey)) as Hex;
      await companion.askFaucet(address);
      await companion.account(address);
      const ordinary = page.getByText('No upgrades: this is a standard account');
      await ordinary.waitFor();
      await delegate(privateKey, contract);

      await companion.view('Home');
      const upgraded = page.getByRole('region', { name: 'Upgraded accounts' });
      await upgraded.getByText(runs, { exact: true }).waitFor();
      expect(await upgraded.getByText('Keystead does not know this contract’s code').count()).toBe(warnings);
      await addAxe(companion);
      expect(await problemsOf(companion)).toEqual([]);

      await companion.account(address);
      const upgrades = page.getByRole('region', { name: 'Upgrades' });
      await companion.press(/^Take back/u, upgrades);
      await companion.answer('Take back the upgrade of your account', 'Reject');
      await upgrades.getByText('You rejected the request.').waitFor();
      await companion.press(/^Take back/u, upgrades);
      await page.getByRole('dialog').filter({ hasText: 'Take back the upgrade of your account' }).waitFor();
      expect(await problemsOf(companion)).toEqual([]);
      await companion.answer('Take back the upgrade of your account', 'Approve');
      await upgrades.getByText('Taken back.').waitFor();
      expect(await upgrades.getByRole('button').count()).toBe(0);
      expect(await problemsOf(companion)).toEqual([]);
      expect(await (await nodeOf(fixture().world)).getCode({ address })).toBeUndefined();
      await companion.reload();
      await ordinary.waitFor();
    },
  );
});
