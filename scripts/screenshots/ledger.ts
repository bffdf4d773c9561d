import { maxUint256 } from 'viem';

import { type Companion } from '../../test/support/browser/companion';
import { type Accounts } from './confirmations';
import { type Contracts } from './contracts';
import { devnetOf } from './devnet';
import { deployPermitToken } from './permit-token';
import { Camera, DESKTOP, PHONE } from './picture';

type Address = `0x${string}`;

const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Takes pictures of what an account did, holds, allowed and signed. */
export class LedgerViews {
  readonly #companion: Companion;
  readonly #camera: Camera;

  constructor(companion: Companion) {
    this.#companion = companion;
    this.#camera = new Camera(companion.page, 'ledger');
  }

  /** @param region - Only a part of the page, by its name. */
  async #take(name: string, region?: string): Promise<void> {
    console.log(name);
    const part = region === undefined ? undefined : this.#companion.page.getByRole('region', { name: region });
    await this.#camera.take(`${name}-390`, PHONE, 'light', part);
    await this.#camera.take(`${name}-1280`, DESKTOP, 'light', part);
  }

  async #search(button: string): Promise<void> {
    const { page } = this.#companion;
    await this.#companion.press(button);
    await page.getByText(/found events that are known to be there\.$/u).waitFor();
  }

  /** The Safe has coins and tokens, and gives permissions here. The standard account signs a permit. */
  async takeAll({ standard, safe }: Accounts, { token, nfts, spender, tokenCall, nftsCall }: Contracts): Promise<void> {
    const companion = this.#companion;
    const { page } = companion;
    const { chain } = await devnetOf(page.url());
    const permits = await deployPermitToken(chain.rpcUrl);
    await permits.give(safe, '75');

    await companion.view('Send');
    await page.getByLabel('From').selectOption(safe);
    const calls = [
      [token, tokenCall('approve', [spender, maxUint256])],
      [nfts, nftsCall('setApprovalForAll', [spender, true])],
      [token, tokenCall('transfer', [FRIEND, 40_000_000n])],
    ] as const;
    for (const [index, [to, data]] of calls.entries()) {
      if (index > 0) await companion.press('Add a call');
      const call = companion.call(index);
      await call.getByLabel('To', { exact: true }).fill(to);
      await call.getByText('Data, for a contract').click();
      await call.getByLabel('Data', { exact: true }).fill(data);
    }
    await companion.press('Review');
    await companion.press('Send 3 calls');
    await companion.answer('Safe 1', 'Approve');
    await page.getByText('Confirmed.').waitFor();

    await companion.view('Sign');
    await page.getByLabel('Account', { exact: true }).selectOption(standard);
    await page.getByLabel('What to sign').selectOption('typed');
    const deadline = Math.floor(Date.now() / 1000) + 86_400;
    const permit = { owner: standard, spender: FRIEND, amount: '25', nonce: 0, deadline } as const;
    await page.getByLabel('Typed data', { exact: true }).fill(permits.permitData(permit));
    await companion.press('Sign');
    await companion.answer(FRIEND, 'Approve');
    await page.getByText('Signed.', { exact: true }).waitFor();

    const open = async (account: Address): Promise<void> => {
      await companion.account(account);
      await page.getByRole('link', { name: 'Who may take it' }).click();
    };
    await open(standard);
    await page.getByText(/^It still counts/u).waitFor();
    await this.#take('signatures', 'Signed and may still count');
    await open(safe);
    await this.#search('Search');
    await page.getByText('1 unknown token').click();
    await this.#take('approvals', 'On Keystead devnet');
    await this.#take('holdings', 'Also held');
    await companion.view('Activity');
    await page.getByText(/^Sent 40 DEMO/u).waitFor();
    await this.#take('history');
  }

  /** In a wallet that was recovered from its phrase, and knows nothing yet. */
  async takeRecovered(): Promise<void> {
    const { page } = this.#companion;
    await this.#companion.view('Activity');
    await this.#search('Search Keystead devnet');
    await page.getByText(/^Sent 40 DEMO/u).waitFor();
    await this.#take('recovered');
  }
}
