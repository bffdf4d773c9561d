import { describeCompanion } from '../../support/browser/fixture';

const RECIPIENT = '0x00000000000000000000000000000000000000A1';

describeCompanion('the activity on the companion page', (fixture) => {
  it('lists what was signed and sent, by account and site, with its status and links, after a reload too', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.view('Activity');
    await page.getByText('Nothing signed or sent yet').waitFor();
    const sender = await companion.createAccount('eoa');
    const other = await companion.createAccount('eoa');
    await companion.askFaucet(sender);

    await companion.view('Sign');
    await page.getByLabel('Account', { exact: true }).selectOption(other);
    await companion.press('Sign');
    await companion.connect(sender, other);
    await companion.answer('Hello from Keystead', 'Approve');
    await page.getByText('Signed.', { exact: true }).waitFor();

    await companion.view('Send');
    await page.getByLabel('To', { exact: true }).fill(RECIPIENT);
    await page.getByLabel('Amount (ETH)').fill('0.5');
    await companion.press('Review');
    await companion.press('Send');
    await companion.answer(RECIPIENT, 'Approve');
    await page.getByText('Confirmed.').waitFor();
    await companion.press('Send something else');
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('');

    const rows = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    for (const read of [() => companion.view('Activity'), () => companion.reload()]) {
      await read();
      // What it paid and cost is read from the network.
      await rows.getByText('Network fee: ').waitFor();
      const [sent, signed] = await rows.allInnerTexts();
      expect(sent).toMatch(
        /Sent 0\.5 ETH to 0x0000…00a1\s+Keystead 1 · This page · Keystead devnet[^]+Network fee: 0\.\d+ ETH, paid by the paymaster\.[^]+Confirmed/u,
      );
      expect(signed).toMatch(/Signed a message\s+Keystead 2 · This page[^]+Signed/u);
    }
    await page.getByLabel('Account', { exact: true }).selectOption(other);
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Account', { exact: true }).selectOption('');
    await page.getByText('Payments of ETH by others are not listed: the network has logged none so far.').waitFor();
    await page.getByRole('link', { name: /^View transaction/u }).click();
    await page.getByText('Succeeded').waitFor();
  });
});
