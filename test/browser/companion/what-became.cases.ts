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

  it('is seen by two tabs at once: accounts, contacts and what was sent', async () => {
    const first = await fixture().ready();
    const second = await first.anotherTab();
    const sender = await first.createAccount('eoa');
    await first.page.waitForURL(new RegExp(`#/account/${sender}`, 'u'));
    await second.view('Home');
    await second.row(sender).waitFor();
    await first.askFaucet(sender);
    for (const [tab, name, address] of [
      [first, 'Ann', RECIPIENT],
      [second, 'Ben', '0x00000000000000000000000000000000000000b2'],
    ] as const) {
      await tab.view('Contacts');
      await tab.page.getByLabel('Name', { exact: true }).fill(name);
      await tab.page.getByLabel('Address', { exact: true }).fill(address);
      await tab.press('Save contact');
      await tab.answer('Save a contact', 'Approve');
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
