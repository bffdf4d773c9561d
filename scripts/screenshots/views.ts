import { type Companion } from '../../test/support/browser/companion';
import { type Contracts } from './contracts';
import { Camera, DESKTOP } from './picture';

type Address = `0x${string}`;

const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Takes pictures of the page's views on a desktop. */
export class Views {
  readonly #companion: Companion;
  readonly #camera: Camera;

  constructor(companion: Companion) {
    this.#companion = companion;
    this.#camera = new Camera(companion.page, 'page');
  }

  async take(name: string): Promise<void> {
    console.log(name);
    await this.#companion.page.mouse.move(0, 0);
    await this.#camera.take(`${name}-1280-light`, DESKTOP, 'light');
  }

  /** The views of a wallet with accounts, tokens and contacts. */
  async takeAll(account: Address, { token }: Contracts): Promise<void> {
    const companion = this.#companion;
    const { page } = companion;
    await companion.view('Home');
    await companion.press('Add a token');
    await page.getByLabel('Token address').fill(token);
    await companion.press('Find token');
    await companion.press('Add DEMO');
    await page.getByText('2,000 DEMO').waitFor();
    await this.take('home');
    await companion.account(account);
    await page.getByText('1,000 DEMO').waitFor();
    await this.take('account');
    await companion.go('add-account', 'Add an account');
    await this.take('add-account');

    await companion.view('Contacts');
    await page.getByLabel('Name', { exact: true }).fill('Alice');
    await page.getByLabel('Address', { exact: true }).fill(FRIEND);
    await companion.press('Save contact');
    await companion.answer('Save a contact', 'Approve');
    await page.getByText('Saved Alice.').waitFor();
    await this.take('contacts');

    await companion.view('Send');
    await page.getByLabel('From').selectOption(account);
    await page.getByLabel('To', { exact: true }).fill('Alice');
    await page.getByLabel('Amount (ETH)').fill('0.5');
    await page.getByText('Balance: 10 ETH').waitFor();
    await this.take('send');
    await companion.press('Review');
    await page.getByRole('heading', { name: 'Review' }).waitFor();
    await this.take('send-review');
    await companion.press('Send');
    await companion.answer(FRIEND, 'Approve');
    await page.getByText('Confirmed.').waitFor();
    await this.take('send-progress');
    await companion.view('Activity');
    await page.getByText('Confirmed', { exact: true }).waitFor();
    await this.take('activity');
    await page.getByRole('link', { name: /^View transaction/u }).click();
    await page.getByText('Succeeded').waitFor();
    await this.take('explorer');

    await companion.setUpStorage();
    for (const view of ['Connections', 'Settings', 'Backup', 'Developer', 'Sign', 'Files']) {
      await companion.view(view);
      await this.take(view.toLowerCase());
    }
    await companion.view('Uncles');
    await companion.press('Look up uncle');
    await page.getByRole('heading', { name: 'Uncle', exact: true }).waitFor();
    await this.take('uncles');
  }
}
