import { getAddress, maxUint256 } from 'viem';

import { deployContracts } from '../../../scripts/screenshots/contracts';
import { devnetOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';

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
});
