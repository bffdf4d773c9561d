import { type Page } from 'playwright-core';

import { describeCompanion } from '../../support/browser/fixture';

const RECIPIENT = '0x00000000000000000000000000000000000000A1';

type Focused = { readonly tag: string; readonly name: string; readonly isVisible: boolean };

/** The element with the focus, also within the wallet; its name in short, and whether people can see that it has it. */
const FOCUSED = `(() => {
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const name = element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText ?? '';
  return {
    tag: element.tagName.toLowerCase(),
    name: name.replace(/\\s+/g, ' ').trim(),
    isVisible: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
  };
})()`;

const focused = (page: Page): Promise<Focused> => page.evaluate(FOCUSED);

/** More than any view has. */
const MAX_STOPS = 80;

/**
 * Presses Tab until an element has the focus. Every stop on the way must be visible.
 *
 * @param name - The name of the element, exactly.
 */
async function tabTo(page: Page, tag: string, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const stops: string[] = [];
  for (let press = 0; press < MAX_STOPS; press += 1) {
    await page.keyboard.press(key);
    const stop = await focused(page);
    stops.push(`${stop.tag} ${stop.name}`);
    // Between the last and the first element, the focus is in the browser's own controls.
    if (stop.tag !== 'body' && !stop.isVisible) throw new Error(`${key}: nobody sees the focus on ${stops.at(-1)}`);
    if (stop.tag === tag && stop.name === name) return;
  }
  throw new Error(`${key} does not reach ${tag} ${name}: ${stops.join(', ')}`);
}

/** Follows a link to another view, which begins with its content. */
async function follow(page: Page, view: string, key?: 'Shift+Tab'): Promise<void> {
  await tabTo(page, 'a', view, key);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: view, level: 1, exact: true }).waitFor();
  await page.locator('main:focus').waitFor();
}

describeCompanion('the keyboard alone, on the companion page', (fixture) => {
  it('reaches every view, and each begins with its content', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.createAccount('eoa');
    await companion.go('home');
    await companion.reload();
    for (const view of ['Send', 'Activity', 'Connections', 'Settings', 'Developer', 'Home'])
      await follow(page, view, 'Shift+Tab');
    await tabTo(page, 'a', 'Keystead 1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keystead 1', level: 1 }).waitFor();
    for (const [section, pages] of [
      ['Settings', ['Backup', 'Contacts']],
      ['Developer', ['Sign', 'Explorer', 'Files', 'Uncles']],
    ] as const) {
      await follow(page, section, 'Shift+Tab');
      for (const each of pages) await follow(page, each);
    }
  });

  it('sends, and the focus goes on where the person is', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const sender = await companion.createAccount('safe-0.7');
    await companion.askFaucet(sender);
    await follow(page, 'Send', 'Shift+Tab');
    await tabTo(page, 'input', 'To');
    await page.keyboard.type(RECIPIENT);
    await tabTo(page, 'input', 'Amount (ETH)');
    await page.keyboard.type('0.5');
    await tabTo(page, 'button', 'Review');
    await page.keyboard.press('Enter');
    await page.locator('h2:focus', { hasText: 'Review' }).waitFor();
    await tabTo(page, 'button', 'Send');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    for (const text of ['Connect this Keystead page', RECIPIENT]) {
      await dialog.filter({ hasText: text }).locator('h2:focus').waitFor();
      await tabTo(page, 'button', 'Approve');
      await page.keyboard.press('Enter');
    }
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('h2:focus', { hasText: 'Sending' }).waitFor();
    await page.getByText('Confirmed.').waitFor();
    await tabTo(page, 'button', 'Send something else');
    await page.keyboard.press('Enter');
    await page.locator('select:focus').waitFor();
    expect((await focused(page)).name).toBe('From');
  });

  it('returns the focus to what opened a dialog', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.createAccount('eoa');
    await follow(page, 'Home', 'Shift+Tab');
    await tabTo(page, 'button', 'Receive with Keystead 1');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR code of the address of Keystead 1' }).waitFor();
    await page.locator('dialog:focus-within').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(page)).toMatchObject({ tag: 'button', name: 'Receive with Keystead 1', isVisible: true });
  });
});
