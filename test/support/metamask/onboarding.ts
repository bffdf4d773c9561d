import { type Locator, type Page } from 'playwright-core';

/** A well-known phrase: only worthless accounts may belong to it. */
const PHRASE = 'test test test test test test test test test test test junk';
const PASSWORD = 'keystead-test-only';
/** For a field that is shown, in milliseconds. */
const TYPING = 60_000;

/** Something that a page of the wallet may show, and how a person gets past it. */
export type Step = { readonly sign: string; readonly act: (page: Page, element: Locator) => Promise<void> };

export const testId = (id: string): string => `[data-testid="${id}"]`;

/**
 * Presses Enter instead of clicking, because the wallet covers its buttons with a notice while it reaches no network.
 */
export const pressed = async (_page: Page, element: Locator): Promise<void> => element.press('Enter');

async function typePhrase(page: Page): Promise<void> {
  const [first, ...others] = PHRASE.split(' ');
  const last = others.length - 1;
  const note = page.locator(testId('srp-input-import__srp-note'));
  // Newer wallets start with one field, and add one for each word that a space ends.
  if (await note.isVisible()) await note.pressSequentially(`${first} `);
  else await page.locator(testId('import-srp__srp-word-0')).fill(first!);
  for (const [index, word] of others.entries())
    await page.locator(testId(`import-srp__srp-word-${index + 1}`)).pressSequentially(index < last ? `${word} ` : word);
  await page.locator(testId('import-srp-confirm')).press('Enter');
}

async function choosePassword(page: Page): Promise<void> {
  for (const field of await page.locator('input[type="password"]').all())
    await field.fill(PASSWORD, { timeout: TYPING });
  await page.locator(testId('create-password-terms')).first().press('Space', { timeout: TYPING });
  const submit = page.locator(`${testId('create-password-import')}, ${testId('create-password-submit')}`);
  await submit.first().press('Enter', { timeout: TYPING });
}

async function typePassword(page: Page, field: Locator): Promise<void> {
  await field.fill(PASSWORD);
  await page.locator(testId('unlock-submit')).press('Enter');
}

async function acceptTerms(page: Page, box: Locator): Promise<void> {
  if (!(await box.isChecked())) await box.press('Space');
  await page.locator(testId('onboarding-import-wallet')).press('Enter');
}

export const UNLOCK: Step = { sign: testId('unlock-password'), act: typePassword };

/**
 * On a busy machine, the wallet gives up loading one of its scripts after two minutes, or waiting for its service
 * worker. Its own “Try again” reloads the extension, which Chromium then blocks because it was loaded from the command
 * line.
 */
export const RELOAD: Step = {
  sign: `${testId('error-page-try-again-button')}, .critical-error__container`,
  act: async (page) => {
    await page.reload({ waitUntil: 'commit' });
  },
};

/** All versions' steps in one list. Versions differ in which steps they have and in which order. */
export const ONBOARDING: readonly Step[] = [
  UNLOCK,
  RELOAD,
  { sign: `${testId('experimental-area')} button`, act: pressed },
  { sign: testId('onboarding-terms-checkbox'), act: acceptTerms },
  { sign: testId('onboarding-import-wallet'), act: pressed },
  { sign: testId('onboarding-import-with-srp-button'), act: pressed },
  { sign: testId('passkey-maybe-later-button'), act: pressed },
  { sign: testId('metametrics-no-thanks'), act: pressed },
  { sign: testId('metametrics-i-agree'), act: pressed },
  { sign: testId('import-srp-confirm'), act: typePhrase },
  { sign: testId('create-password-terms'), act: choosePassword },
  { sign: testId('onboarding-complete-done'), act: pressed },
  { sign: testId('download-app-continue'), act: pressed },
  { sign: testId('pin-extension-next'), act: pressed },
  { sign: testId('pin-extension-done'), act: pressed },
];

/** Shown by the wallet's home page only. */
export const HOME = `${testId('account-menu-icon')}, ${testId('account-options-menu-button')}`;
