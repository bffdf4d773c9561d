import { type Companion } from '../../support/browser/companion';
import { describeCompanion } from '../../support/browser/fixture';

const RECIPIENT = '0x00000000000000000000000000000000000000A1';

describeCompanion('what became of what was sent', (fixture) => {
  async function sendHalf(companion: Companion): Promise<void> {
    const { page } = companion;

    await page.getByLabel('To', { exact: true }).fill(RECIPIENT);
    await page.getByLabel('Amount (ETH)').fill('0.5');
    await companion.press('Review');
    await companion.press('Send');
  }

  it('says that it does not know when the network is lost before the approval, and shows one row for one hash', async () => {
    const companion = await fixture().ready();
    const { page, context } = companion;
    const sender = await companion.createAccount('eoa');
    await companion.askFaucet(sender);
    await companion.view('Send');
    await sendHalf(companion);
    await companion.connect(sender);
    await page.getByRole('dialog').filter({ hasText: RECIPIENT }).waitFor();
    await context.setOffline(true);
    await companion.answer(RECIPIENT, 'Approve');
    await page.getByRole('heading', { name: 'Unknown whether it was sent' }).waitFor();
    const said = page.getByRole('status').filter({ hasText: 'Unknown.' });
    expect(await said.innerText()).toContain('There was no answer when it was sent');
    expect(await page.getByText('You can leave this page').count()).toBe(0);

    // The same again gives the same bytes, because nothing has used the nonce.
    await context.setOffline(false);
    await companion.view('Activity');
    await page.getByText('Unknown', { exact: true }).waitFor();
    await companion.view('Send');
    await sendHalf(companion);
    await companion.answer(RECIPIENT, 'Approve');
    await page.getByText('Confirmed.').waitFor();
    await companion.view('Activity');
    const rows = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    await rows.getByText('Confirmed', { exact: true }).waitFor();
    expect(await rows.count()).toBe(1);
  });

  it('is seen by two tabs at once: accounts, contacts and what was sent', async () => {
    const first = await fixture().ready();
    const second = await first.anotherTab();
    const sender = await first.createAccount('eoa');
    await first.page.waitForURL(new RegExp(`#/account/${sender}`, 'u'));
    await second.view('Home');
    await second.row(sender).waitFor();
    await first.askFaucet(sender);
    for (const [tab, name] of [
      [first, 'Ann'],
      [second, 'Ben'],
    ] as const) {
      await tab.view('Contacts');
      await tab.page.getByLabel('Name', { exact: true }).fill(name);
      await tab.page.getByLabel('Address', { exact: true }).fill(tab === first ? RECIPIENT : sender);
      await tab.press('Save contact');
    }
    for (const { page } of [first, second])
      for (const name of ['Ann', 'Ben']) await page.getByRole('heading', { name, exact: true }).waitFor();
    await second.view('Activity');
    await second.page.getByText('Nothing signed or sent yet').waitFor();
    await first.view('Send');
    await sendHalf(first);
    await first.connect(sender);
    await first.answer(RECIPIENT, 'Approve');
    await first.page.getByText('Confirmed.').waitFor();
    await second.page.getByText('Confirmed', { exact: true }).waitFor();
  });

  it('does not show the first visit after a reload', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.createAccount('eoa');
    await page.addInitScript(`window.seen = []; new MutationObserver(() => {
      const title = document.querySelector('main h1')?.textContent;
      if (title !== undefined && window.seen.at(-1) !== title) window.seen.push(title);
    }).observe(document, { childList: true, subtree: true });`);
    await companion.reload();
    await page.getByRole('heading', { name: 'Manage' }).waitFor();
    expect(await page.evaluate('window.seen')).toEqual(['Keystead 1']);
  });
});
