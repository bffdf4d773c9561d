import { getAddress, type Hex, maxUint256 } from 'viem';

import { deployContracts } from '../../../scripts/screenshots/contracts';
import { deployPermitToken, type Permit } from '../../../scripts/screenshots/permit-token';
import { type Companion } from '../../support/browser/companion';
import { devnetOf, sendAs } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';
import { hasPeers } from '../../support/chain/peers';

const SPENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Signs typed data on the page. @returns The signature. */
async function signTyped(companion: Companion, account: string, data: string): Promise<Hex> {
  const { page } = companion;
  await companion.view('Sign');
  await page.getByLabel('Account', { exact: true }).selectOption(account);
  await page.getByLabel('What to sign').selectOption('typed');
  await page.getByLabel('Typed data', { exact: true }).fill(data);
  await companion.press('Sign');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  if (await dialog.filter({ hasText: 'Connect this Keystead page' }).isVisible()) await companion.connect(account);
  await companion.answer(SPENDER, 'Approve');
  await page.getByText('Signed.', { exact: true }).waitFor();
  const [signature] = /0x[0-9a-f]{130}/u.exec(await page.locator('main').innerText()) ?? [];
  return signature as Hex;
}

describeCompanion('who may take what, on the companion page', (fixture) => {
  it('lists the permissions of a Safe by searching its node, and takes them back in one operation', async () => {
    const { chain } = await devnetOf(fixture().world);
    const contracts = await deployContracts(chain.rpcUrl);
    const companion = await fixture().ready();
    const { page } = companion;
    const safe = await companion.createAccount('safe-0.7');
    await companion.askFaucet(safe);
    await contracts.give(safe as `0x${string}`);

    await companion.view('Send');
    const calls = [
      [contracts.token, contracts.tokenCall('approve', [contracts.spender, maxUint256])],
      [contracts.nfts, contracts.nftsCall('setApprovalForAll', [contracts.spender, true])],
    ] as const;
    for (const [index, [to, data]] of calls.entries()) {
      if (index > 0) await companion.press('Add a call');
      const call = companion.call(index);
      await call.getByLabel('To', { exact: true }).fill(to);
      await call.getByText('Data, for a contract').click();
      await call.getByLabel('Data', { exact: true }).fill(data);
    }
    await companion.press('Review');
    await companion.press('Send 2 calls');
    await companion.connect(safe);
    await companion.answer('Safe 1', 'Approve');
    await page.getByText('Confirmed.').waitFor();

    await companion.account(safe);
    await page.getByRole('link', { name: 'Who may take it' }).click();
    await companion.press('Search');
    const rows = page.getByRole('list', { name: 'Permissions' }).getByRole('listitem');
    await rows.nth(1).waitFor();
    const [amount, all] = (await rows.allInnerTexts()).sort();
    expect(amount).toMatch(/All your DEMO[^]+1000 DEMO could be taken today\.[^]+It has no limit\./u);
    expect(all).toMatch(/Everything in 0x[^]+It has no limit\./u);
    expect(amount).toContain(getAddress(contracts.spender));
    await page.getByText(/^Searched blocks 0 to [\d,]+ at the node at 127\.0\.0\.1:\d+\.$/u).waitFor();
    await page.getByText(/^The node at 127\.0\.0\.1:\d+ found events that are known to be there\.$/u).waitFor();

    // The account approved the token, so it is more than something that was sent to it.
    const held = page.getByRole('list', { name: 'Also held' });
    await held.getByText('1000 “DEMO”').waitFor();
    await companion.press(/^Show it on Home/u, held);
    await held.waitFor({ state: 'detached' });

    await companion.press('Choose all');
    await companion.press('Take back 2 permissions');
    await companion.answer('Safe 1', 'Approve');
    await page.getByText('Nothing found').waitFor();
    await page
      .getByText(/^Took back 2 permissions: the node at 127\.0\.0\.1:\d+ says that nothing of it is left\.$/u)
      .waitFor();

    // The same search is the history: one row for each transaction, with the site that asked if there is one.
    await companion.view('Activity');
    const activity = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    await activity.getByText(/^Received 1000 DEMO from 0x/u).waitFor();
    const given = activity.filter({ hasText: /^Let 0x\w{4}…\w{4} spend all DEMO, and 1 more/u });
    expect(await given.innerText()).toMatch(
      /Safe 1 · This page · Keystead devnet[^]+paid by the paymaster\.[^]+Confirmed/u,
    );
    expect(await activity.filter({ hasText: /^Received 1000 DEMO/u }).innerText()).not.toContain('This page');
  });

  (hasPeers ? it : it.skip)(
    `shows a signed permit until it is used, and another one until it is cancelled${hasPeers ? '' : ' (skipped: run scripts/install-chain-peers.sh first)'}`,
    async () => {
      const { chain } = await devnetOf(fixture().world);
      const { token, permitData, use } = await deployPermitToken(chain.rpcUrl);
      const companion = await fixture().ready();
      const { page } = companion;
      const owner = (await companion.createAccount('eoa')) as Hex;
      await companion.askFaucet(owner);
      const deadline = Math.floor(Date.now() / 1000) + 86_400;
      const permit = (nonce: number, amount: string): Permit => ({ owner, spender: SPENDER, amount, nonce, deadline });
      const signed = page.getByRole('region', { name: 'Signed and may still count' });
      const rows = signed.getByRole('list', { name: 'Signatures' }).getByRole('listitem');
      const open = async (): Promise<void> => {
        await companion.account(owner);
        await page.getByRole('link', { name: 'Who may take it' }).click();
      };

      const signature = await signTyped(companion, owner, permitData(permit(0, '250')));
      await open();
      await rows.getByText(/^It still counts, says the node at 127\.0\.0\.1:\d+\./u).waitFor();
      expect(await rows.count()).toBe(1);
      await sendAs(fixture().world, SPENDER, token, use(permit(0, '250'), signature));
      await companion.press('Check again', signed);
      await signed.getByText('None is left that Keystead knows of.').waitFor();
      expect(await rows.count()).toBe(0);

      await signTyped(companion, owner, permitData(permit(1, '40')));
      await open();
      await rows.getByText(/^It still counts/u).waitFor();
      await companion.press(/^Cancel/u, rows);
      // The same permit for nothing is signed, and then sent to the token.
      await companion.answer(/^(?!.*Network fee)/su, 'Approve');
      await companion.answer('Network fee', 'Approve');
      await signed
        .getByText(/^Cancelled: the node at 127\.0\.0\.1:\d+ says that nobody can use it any more\.$/u)
        .waitFor();
      await signed.getByText('None is left that Keystead knows of.').waitFor();
      await companion.press(/^Show \d that nobody can use$/u, signed);
      const ended = await rows.allInnerTexts();
      expect(ended.length).toBeGreaterThanOrEqual(2);
      for (const text of ended) expect(text).toMatch(/It was used or cancelled, says the node at 127\.0\.0\.1:\d+\./u);
      expect(await rows.getByRole('button').count()).toBe(0);
    },
  );
});
