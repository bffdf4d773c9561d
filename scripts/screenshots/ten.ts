import { type Companion } from '../../test/support/browser/companion';
import { Camera, DESKTOP, PHONE, SMALL_PHONE } from './picture';

const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export const WIDTHS = [360, 390, 1280] as const;

/** The screens that are compared between two versions, in the order in which they are met. */
export const TEN = [
  'first-visit',
  'first-account',
  'home',
  'account',
  'add-account',
  'send',
  'sending-offline',
  'activity',
  'settings',
  'snap-home',
] as const;
type Screen = (typeof TEN)[number];

/**
 * Takes pictures of ten screens at three widths.
 *
 * @param companion - On the first visit.
 * @param folder - An absolute path.
 */
export async function takeTen(companion: Companion, folder: string): Promise<void> {
  const { page } = companion;
  const camera = new Camera(page, folder);
  const take = async (name: Screen): Promise<void> => {
    console.log(name);
    await page.mouse.move(0, 0);
    for (const [at, size] of [SMALL_PHONE, PHONE, DESKTOP].entries())
      await camera.take(`${name}-${WIDTHS[at]}`, size, 'light');
  };
  await page.getByRole('button', { name: 'Use the simulated wallet' }).waitFor();
  await take('first-visit');
  await companion.install();
  await companion.setUp();
  await take('first-account');
  const safe = await companion.createAccount('safe-0.7');
  const standard = await companion.createAccount('eoa');
  await companion.askFaucet(standard);
  await companion.row(standard).getByText('10 ETH', { exact: true }).waitFor();
  await take('home');
  await companion.account(safe);
  await take('account');
  await companion.go('add-account', 'Add an account');
  await take('add-account');
  await companion.view('Send');
  await page.getByLabel('From').selectOption(standard);
  await page.getByLabel('To', { exact: true }).fill(FRIEND);
  await page.getByLabel('Amount (ETH)').fill('0.5');
  await page.getByText('Balance: 10 ETH').waitFor();
  await take('send');
  const progress = page.locator('section[aria-labelledby="progress"]');
  const { chain } = (await (await fetch(new URL('devnet.json', page.url()))).json()) as { chain: { rpcUrl: string } };
  await companion.press('Review');
  await companion.press('Send');
  await companion.connect(standard);
  await page.getByRole('dialog').filter({ hasText: FRIEND }).waitFor();
  // The network is lost between dialog and approval, until the answer about it is drawn.
  await companion.context.route(chain.rpcUrl, (route) => route.abort());
  await companion.answer(FRIEND, 'Approve');
  await progress.getByRole('button').first().waitFor();
  await take('sending-offline');
  await companion.context.unroute(chain.rpcUrl);
  await companion.view('Send');
  await companion.view('Home');
  await companion.view('Send');
  await page.getByLabel('From').selectOption(standard);
  await page.getByLabel('To', { exact: true }).fill(FRIEND);
  await page.getByLabel('Amount (ETH)').fill('0.5');
  await companion.press('Review');
  await companion.press('Send');
  await companion.answer(FRIEND, 'Approve');
  await page
    .getByText(/^(?:Confirmed|Included)/u)
    .first()
    .waitFor();
  await companion.view('Activity');
  await page.getByText(/^Confirmed$/u).waitFor();
  await take('activity');
  await companion.view('Settings');
  await take('settings');
  await companion.press('Keystead');
  await page.getByRole('dialog').waitFor();
  await take('snap-home');
}
